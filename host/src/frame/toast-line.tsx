import { Icon } from 'host/ui/icon.tsx';
import { useLayoutEffect, useRef } from 'react';
import type { ToastKind } from '../contract.ts';
import type { ShownToast } from '../toasts/toast-store.ts';
import { useShell } from './shell.ts';
import { useFrameTranslate } from './use-translate.ts';

const ICONS: Record<ToastKind, string> = { success: 'ok', info: 'info', warning: 'alert', error: 'fail' };

/** A toast with its action and a button that dismisses it. Its timer pauses while it is hovered or focused. */
export function ToastLine({ toast, zIndex }: { toast: ShownToast; zIndex: number }) {
  const { toasts } = useShell();
  const t = useFrameTranslate();
  const { id, kind, text, action } = toast;
  const hold = () => toasts.hold(id);
  const release = () => toasts.release(id);
  const line = useRef<HTMLDivElement>(null);
  const previousFocus = useRef<EventTarget | null>(null);
  // Restores the previous focus before the toast is removed.
  useLayoutEffect(
    () => () => {
      if (!line.current?.contains(document.activeElement)) return;
      const target = previousFocus.current;
      const isConnected = target instanceof HTMLElement && target.isConnected;
      (isConnected ? target : document.getElementById('main'))?.focus({ preventScroll: true });
    },
    [],
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
        <button
          className="button"
          type="button"
          onClick={() => {
            toasts.dismiss(id);
            action.run();
          }}
        >
          {action.label}
        </button>
      )}
      <button
        className="icon-button small"
        type="button"
        aria-label={t('dismiss')}
        onClick={() => toasts.dismiss(id)}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}
