import { Button } from 'host/ui/button.tsx';
import { Icon } from 'host/ui/icon.tsx';
import { IconButton } from 'host/ui/icon-button.tsx';
import { useLayoutEffect, useRef } from 'react';
import type { ToastKind } from '../contract.ts';
import type { ShownToast } from '../toasts/toast-store.ts';
import { useFrameTranslate, useShell } from './shell.ts';

const ICONS: Record<ToastKind, string> = { success: 'ok', info: 'info', warning: 'alert', error: 'fail' };

/** The share of the focused element that toasts may cover. */
const MAX_COVERED = 0.1;

interface ToastLineProps {
  toast: ShownToast;
  isNewest: boolean;
  zIndex: number;
}

/**
 * A toast with its action and a button that dismisses it. Its timer pauses while it is hovered or focused. Alt + Shift + U moves the focus to the newest
 * one.
 */
export function ToastLine({ toast, isNewest, zIndex }: ToastLineProps) {
  const { toasts } = useShell();
  const t = useFrameTranslate();
  const { id, kind, text, action } = toast;
  const hold = () => toasts.hold(id);
  const release = () => toasts.release(id);
  const line = useRef<HTMLDivElement>(null);
  const previousFocus = useRef<EventTarget | null>(null);
  useLayoutEffect(() => (isNewest ? followFocus(line.current!) : undefined), [isNewest]);
  // Restores the previous focus before the toast is removed, or moved into or out of a dialog.
  useLayoutEffect(
    () => () => {
      toasts.release(id);
      if (!line.current?.contains(document.activeElement)) return;
      const target = previousFocus.current;
      const isConnected = target instanceof HTMLElement && target.isConnected;
      (isConnected ? target : document.getElementById('main'))?.focus({ preventScroll: true });
    },
    [toasts, id],
  );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hovering only pauses its timer
    <div
      ref={line}
      className={`toast ${kind}`}
      style={{ zIndex }}
      role={kind === 'error' || kind === 'warning' ? 'alert' : 'status'}
      onPointerEnter={hold}
      onPointerLeave={release}
      onFocus={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) previousFocus.current = relatedTarget;
        hold();
      }}
      onBlur={release}
    >
      <Icon name={ICONS[kind]} />
      <p>{text}</p>
      {action && (
        <Button
          label={action.label}
          aria-keyshortcuts="Alt+Shift+U"
          onClick={() => {
            toasts.dismiss(id);
            action.run();
          }}
        />
      )}
      <IconButton icon="close" label={t('dismiss')} isSmall onClick={() => toasts.dismiss(id)} />
    </div>
  );
}

/** Handles the shortcut, and moves toasts to the other end of the window while they cover the focus. Returns a function that ends this. */
function followFocus(newest: HTMLElement): () => void {
  const region = newest.parentElement!;
  const place = () => {
    const focused = document.activeElement;
    if (!focused || region.contains(focused)) return;
    region.removeAttribute('data-low');
    const covered = coveredShare(focused.getBoundingClientRect(), region.getBoundingClientRect());
    region.toggleAttribute('data-low', covered > MAX_COVERED);
  };
  const press = (event: KeyboardEvent) => {
    // On a Mac, Option changes the typed character.
    if (event.code !== 'KeyU' || !event.altKey || !event.shiftKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    newest.querySelector('button')?.focus();
  };
  place();
  const over = new AbortController();
  document.addEventListener('focusin', place, { signal: over.signal });
  document.addEventListener('keydown', press, { signal: over.signal });
  return () => over.abort();
}

function coveredShare(covered: DOMRect, by: DOMRect): number {
  const width = Math.min(covered.right, by.right) - Math.max(covered.left, by.left);
  const height = Math.min(covered.bottom, by.bottom) - Math.max(covered.top, by.top);
  return width > 0 && height > 0 ? (width * height) / (covered.width * covered.height) : 0;
}
