const INTERVAL = 500;
/** Time in ms that drawing or reading a page may take. */
const LIMIT = 8000;

/**
 * Calls `onEnd` after `LIMIT`, during which the page is visible (browsers do not draw hidden ones) and nothing of the
 * file is being loaded. Returns a function that stops it.
 */
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
