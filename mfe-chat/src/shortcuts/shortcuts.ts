import type { ChatTexts } from '../state/texts.ts';

export type Action = 'new' | 'search' | 'ask' | 'stop' | 'list';

export interface Shortcut {
  action: Action;
  /** Pressed alone outside text fields; with Alt + Shift (⌥⇧ on a Mac) everywhere. */
  key: string;
  text: keyof ChatTexts;
}

/**
 * Alt + Shift and one of these letters is a command of neither Chrome, Edge, Firefox and Safari nor of NVDA, JAWS, Narrator and VoiceOver;
 * letters with Ctrl, Cmd, Alt or Ctrl + Shift are.
 */
export const SHORTCUTS: readonly Shortcut[] = [
  { action: 'new', key: 'N', text: 'newQuestion' },
  { action: 'search', key: 'F', text: 'search' },
  { action: 'ask', key: 'C', text: 'shortcutAsk' },
  { action: 'stop', key: 'S', text: 'shortcutStop' },
  { action: 'list', key: '?', text: 'shortcuts' },
];

type Pressed = Pick<
  KeyboardEvent,
  'key' | 'code' | 'altKey' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'repeat' | 'isComposing'
>;

/** The action of a key press, or null. `isSingle`: single keys count, which is not so while typing or when they are switched off. */
export function actionOf(pressed: Pressed, isSingle: boolean): Action | null {
  if (pressed.ctrlKey || pressed.metaKey || pressed.repeat || pressed.isComposing) return null;
  const key = pressed.altKey ? pressed.shiftKey && keyWithAlt(pressed) : isSingle && singleKey(pressed);
  return SHORTCUTS.find((shortcut) => shortcut.key === key)?.action ?? null;
}

function singleKey({ key, shiftKey }: Pressed): string {
  if (key === '?') return key;
  return shiftKey ? '' : key.toUpperCase();
}

/** On a Mac, Option changes the typed character: the place of the key then counts. */
function keyWithAlt({ key, code }: Pressed): string {
  if (/^[a-z]$/i.test(key)) return key.toUpperCase();
  if (key === '?' || code === 'Slash') return '?';
  return /^Key([A-Z])$/.exec(code)?.[1] ?? '';
}
