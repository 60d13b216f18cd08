/** Yields `events`, and a comment whenever none arrived for `everyMs`. Returns when `signal` aborts. */
export async function* withComments(
  events: AsyncGenerator<string>,
  everyMs: number,
  signal: AbortSignal,
): AsyncGenerator<string> {
  let next = events.next();
  while (!signal.aborted) {
    let timer: NodeJS.Timeout | undefined;
    const silence = new Promise<null>((resolve) => {
      timer = setTimeout(resolve, everyMs, null);
    });
    const result = await Promise.race([next, silence]).finally(() => clearTimeout(timer));
    if (result?.done) return;
    yield result ? result.value : ': still here\n\n';
    if (result) next = events.next();
  }
}
