import { Icon } from 'host/ui/icon.tsx';
import { useStream } from 'host/ui/use-stream.ts';
import { useLayoutEffect, useRef } from 'react';
import type { ToastKind } from '../contract.ts';
import type { ShownToast } from '../toasts/toast-store.ts';
import { PartBoundary } from './boundaries.tsx';
import { useShell } from './shell.ts';
import { useFrameTranslate } from './use-translate.ts';

const ICONS: Record<ToastKind, string> = { success: 'ok', info: 'info', warning: 'alert', error: 'fail' };
/** The lowest z-index, as required by the specification. */
const MIN_Z_INDEX = 2000;

/** Always rendered: screen readers do not announce a live region that is inserted together with its text. */
export function ToastList() {
  const { toasts } = useShell();
  const t = useFrameTranslate();
  const shown = useStream(toasts.shown$);
  const region = useRef<HTMLElement>(null);
  const newest = shown.at(-1)?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for every new toast
  useLayoutEffect(() => moveToTopLayer(region.current), [newest]);

  return (
    <section ref={region} className="toasts" popover="manual" aria-label={t('notices')} aria-live="polite">
      {shown.map((toast, index) => (
        <PartBoundary key={toast.id} name="toast">
          <ToastLine toast={toast} zIndex={MIN_Z_INDEX + index} />
        </PartBoundary>
      ))}
    </section>
  );
}

/**
 * A modal dialog is in the top layer, above any z-index. The toasts are moved there, too, above it. Since that repeats their entry
 * animation, it only happens when a dialog requires it.
 */
function moveToTopLayer(region: HTMLElement | null): void {
  if (!region?.showPopover) return;
  const isOpen = region.matches(':popover-open');
  if (isOpen && !document.querySelector('dialog:modal')) return;
  if (isOpen) region.hidePopover();
  region.showPopover();
}

function ToastLine({ toast, zIndex }: { toast: ShownToast; zIndex: number }) {
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
