import { type KeyboardEvent, useRef } from 'react';

interface EnterHandlers {
  onKeyDown(event: KeyboardEvent): void;
  onKeyUp(): void;
  onCompositionEnd(event: { timeStamp: number }): void;
}

/** A key press that ends a composition is over within this time, in milliseconds. */
const SAME_PRESS = 100;

/**
 * Enter sends; Shift + Enter, and an Enter that confirms what an input method composes, do not. Chromium and Firefox tell the latter
 * by `isComposing`, older engines by keyCode 229, and Safari ends the composition first and sends the key afterwards.
 */
export function useEnterKey(send: () => void): EnterHandlers {
  const composedAt = useRef(Number.NEGATIVE_INFINITY);
  return {
    onCompositionEnd({ timeStamp }) {
      composedAt.current = timeStamp;
    },
    onKeyUp() {
      composedAt.current = Number.NEGATIVE_INFINITY;
    },
    onKeyDown(event) {
      if (event.key !== 'Enter' || event.shiftKey || event.altKey) return;
      const { isComposing, keyCode } = event.nativeEvent;
      if (isComposing || keyCode === 229 || event.timeStamp - composedAt.current < SAME_PRESS) return;
      event.preventDefault();
      if (!event.repeat) send();
    },
  };
}
