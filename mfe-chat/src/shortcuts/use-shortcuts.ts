import type { HostServices } from 'host/contract';
import { useEffect, useRef } from 'react';
import { type Action, actionOf } from './shortcuts.ts';

const KEY = 'single-keys';
const OFF = 'off';

/** Whether shortcuts without a modifier are on; stored in this browser. Screen readers and speech input may need them off. */
export function hasSingleKeys(storage: HostServices['storage']): boolean {
  return storage.get(KEY) !== OFF;
}

export function setSingleKeys(storage: HostServices['storage'], isOn: boolean): void {
  if (isOn) storage.remove(KEY);
  else storage.set(KEY, OFF);
}

/** Runs an action when its shortcut is pressed in this screen, or where nothing has the focus. An action that returns false leaves the key alone. */
export function useShortcuts(storage: HostServices['storage'], actions: Record<Action, () => unknown>): void {
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    const keyDown = (event: KeyboardEvent) => {
      const { target } = event;
      if (event.defaultPrevented || !(target instanceof Element) || !isHere(target)) return;
      const action = actionOf(event, !isTyping(target) && hasSingleKeys(storage));
      if (action && latest.current[action]() !== false) event.preventDefault();
    };
    document.addEventListener('keydown', keyDown);
    return () => document.removeEventListener('keydown', keyDown);
  }, [storage]);
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
