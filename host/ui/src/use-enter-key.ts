import { type KeyboardEvent, useRef } from 'react';

/** Maximum time between the end of a composition and the key press that ended it, in milliseconds. */
const SAME_KEY_PRESS_MS = 100;

/**
 * Enter sends; Shift + Enter, and an Enter that confirms text of an input method, do not. The latter is detected by `isComposing` in
 * Chromium and Firefox and by keyCode 229 in older browsers; Safari sends the key event after the composition has ended.
 */
export function useEnterKey(send: () => void) {
  const composedAt = useRef(Number.NEGATIVE_INFINITY);
  return {
    onCompositionEnd({ timeStamp }: { timeStamp: number }): void {
      composedAt.current = timeStamp;
    },
    onKeyUp(): void {
      composedAt.current = Number.NEGATIVE_INFINITY;
    },
    onKeyDown(event: KeyboardEvent): void {
      if (event.key !== 'Enter' || event.shiftKey || event.altKey) return;
      const { isComposing, keyCode } = event.nativeEvent;
      if (isComposing || keyCode === 229 || event.timeStamp - composedAt.current < SAME_KEY_PRESS_MS) return;
      event.preventDefault();
      if (!event.repeat) send();
    },
  };
}
