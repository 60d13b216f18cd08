const INTERVAL = 500;
/** Time in ms that drawing or reading a page may take. */
const LIMIT = 8000;

/** Calls `onEnd` after `LIMIT` in a visible page during which nothing of the file was loading. Returns a function that cancels this. */
export function giveUpAfter(isLoading: () => boolean, onEnd: () => void): () => void {
  let time = 0;
  const timer = setInterval(() => {
    if (document.hidden || isLoading()) return;
    time += INTERVAL;
    if (time < LIMIT) return;
    clearInterval(timer);
    onEnd();
  }, INTERVAL);
  return () => clearInterval(timer);
}
