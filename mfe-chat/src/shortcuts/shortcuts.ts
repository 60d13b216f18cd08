import type { HostServices } from 'host/contract';
import { useEffect, useEffectEvent } from 'react';
import type { ChatTexts } from '../state/texts.ts';

export type Action = 'new' | 'search' | 'ask' | 'stop' | 'list';

export interface Shortcut {
  action: Action;
  /** Works alone outside of text fields, and everywhere with Alt + Shift (⌥⇧ on a Mac). */
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

/** The action of a key press, or null. `isSingle`: keys without modifiers count, too. */
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

const KEY = 'single-keys';
const OFF = 'off';

/** Whether shortcuts without a modifier are on; stored in this browser. They can conflict with screen readers and speech input. */
export function hasSingleKeys(storage: HostServices['storage']): boolean {
  return storage.get(KEY) !== OFF;
}

export function setSingleKeys(storage: HostServices['storage'], isOn: boolean): void {
  if (isOn) storage.remove(KEY);
  else storage.set(KEY, OFF);
}

/** Runs an action when its shortcut is pressed in this screen, or while nothing has the focus. It returns false to leave the key alone. */
export function useShortcuts(storage: HostServices['storage'], actions: Record<Action, () => unknown>): void {
  const run = useEffectEvent((event: KeyboardEvent) => {
    const { target } = event;
    if (event.defaultPrevented || !(target instanceof Element) || !isHere(target)) return;
    const action = actionOf(event, !isTyping(target) && hasSingleKeys(storage));
    if (action && actions[action]() !== false) event.preventDefault();
  });
  useEffect(() => {
    const keyDown = (event: KeyboardEvent) => run(event);
    document.addEventListener('keydown', keyDown);
    return () => document.removeEventListener('keydown', keyDown);
  }, []);
}

function isHere(target: Element): boolean {
  if (document.querySelector('dialog[open]')) return false;
  return target === document.body || target.closest('main') !== null;
}

/** Also in lists and menus, which may choose an item by its first letter. */
function isTyping(target: Element): boolean {
  return (
    target.closest('input, textarea, select, [contenteditable], [role="menu"], [role="listbox"]') !== null
  );
}
