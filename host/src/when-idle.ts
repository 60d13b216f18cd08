/** Runs `work` when the browser is idle. Returns a function that cancels it. */
export function whenIdle(work: () => void): () => void {
  // Safari has no requestIdleCallback.
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(work, 2000);
    return () => clearTimeout(timer);
  }
  const request = requestIdleCallback(work, { timeout: 5000 });
  return () => cancelIdleCallback(request);
}
