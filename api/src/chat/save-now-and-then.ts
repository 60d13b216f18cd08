/** A growing answer is saved this often at most, in ms. */
const saveEveryMs = 250;
/** And this often at least: it renews the lease and learns whether another process was asked to stop it. */
const heartbeatMs = 1000;

/** Calls `save` soon after growth and now and then without it, never twice at a time. */
export function saveNowAndThen(
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
