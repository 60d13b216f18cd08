import { LOAD_TIMEOUT_MS } from './run-module.ts';

/** Elements that are visible or usable without text. */
const CONTENT =
  'a[href], audio, button, canvas, embed, iframe, img, input, object, select, svg, textarea, video';
/** The host's controls inside the screen. */
const CONTROLS = '[data-controls]';

/**
 * Calls `onBlank` when `frame` stays empty for as long as a screen may take to load: the screen loaded but renders nothing. Checks again
 * whenever the root element is replaced. Returns a function that stops it.
 */
export function watchBlank(frame: HTMLElement, onBlank: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>;
  const check = () => {
    if (!isBlank(frame)) return;
    // A screen may be waiting for the network.
    if (navigator.onLine) onBlank();
    else schedule();
  };
  const schedule = () => {
    clearTimeout(timer);
    timer = setTimeout(check, LOAD_TIMEOUT_MS);
  };
  const observer = new MutationObserver(schedule);
  observer.observe(frame, { childList: true });
  schedule();
  return () => {
    observer.disconnect();
    clearTimeout(timer);
  };
}

function isBlank(frame: HTMLElement): boolean {
  const isOwn = (element: Element | null) => !element?.closest(`${CONTROLS}, script, style`);
  if ([...frame.querySelectorAll(CONTENT)].some(isOwn)) return false;
  const texts = frame.ownerDocument.createTreeWalker(frame, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { nodeValue, parentElement } = texts.currentNode;
    if (nodeValue?.trim() && isOwn(parentElement)) return false;
  }
  return true;
}
