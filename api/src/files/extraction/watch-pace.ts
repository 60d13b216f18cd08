/** Milliseconds of progress that a guess is made of. */
const enough = 8000;
/** How much longer than it may take something has to promise to take. */
const tooSlow = 3;

/**
 * Watches progress in per cent: the grain of a photograph looks like words without end, and what would take minutes need not be waited for
 * until its time is over.
 *
 * @param time milliseconds that it may take.
 * @returns a function that is told each step, and says whether to give up.
 */
export function watchPace(
  time: number,
  now: () => number = () => performance.now(),
): (percent: number) => boolean {
  let first: { at: number; percent: number } | null = null;
  return (percent) => {
    first ??= { at: now(), percent };
    const passed = now() - first.at;
    if (passed < enough) return false;
    const pace = (percent - first.percent) / passed;
    return pace * time * tooSlow < 100 - percent;
  };
}
