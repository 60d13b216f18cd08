import { useSyncExternalStore } from 'react';

/** True while the focus is in a field that is not empty. */
export function useTyping(): boolean {
  return useSyncExternalStore(subscribe, () => hasText(document.activeElement));
}

const WITHOUT_TEXT = /^(button|checkbox|color|file|hidden|image|radio|range|reset|submit)$/;

function hasText(element: Element | null): boolean {
  if (element instanceof HTMLTextAreaElement) return element.value !== '';
  if (element instanceof HTMLInputElement) return !WITHOUT_TEXT.test(element.type) && element.value !== '';
  return element instanceof HTMLElement && element.isContentEditable && element.textContent !== '';
}

function subscribe(notify: () => void): () => void {
  const unsubscribed = new AbortController();
  for (const event of ['focusin', 'focusout', 'input'])
    document.addEventListener(event, notify, { signal: unsubscribed.signal });
  return () => unsubscribed.abort();
}
