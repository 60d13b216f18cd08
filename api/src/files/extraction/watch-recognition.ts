/** Time in ms over which the speed is estimated. */
const enough = 8000;
/** Factor by which the estimated time must exceed the limit. */
const tooSlow = 3;

/**
 * Watches progress in percent to abandon hopeless work early: photographic grain looks like endless text, and
 * would otherwise run until the time limit.
 * @param time the time limit in ms. @returns a function to call with each progress value, which returns
 * whether to give up.
 */
export function watchRecognition(
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
