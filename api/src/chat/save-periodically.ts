/** Minimum interval between saves of a growing answer, in ms. */
const saveEveryMs = 250;
/**
 * Maximum interval between saves, in ms: they renew the lease and detect stop requests from other processes.
 */
const heartbeatMs = 1000;

/** Calls `save` soon after growth and periodically, never concurrently. */
export function savePeriodically(
  save: () => Promise<void>,
  length: () => number,
  onFailure: (cause: unknown) => void,
): { stop(): Promise<void> } {
  let saved = 0;
  let last = Date.now();
  let saving: Promise<void> = Promise.resolve();
  let isSaving = false;
  const timer = setInterval(() => {
    const isDue = length() > saved || Date.now() - last >= heartbeatMs;
    if (isSaving || !isDue) return;
    isSaving = true;
    saved = length();
    last = Date.now();
    saving = save()
      .catch(onFailure)
      .finally(() => {
        isSaving = false;
      });
  }, saveEveryMs);
  timer.unref();
  return {
    stop() {
      clearInterval(timer);
      return saving;
    },
  };
}
