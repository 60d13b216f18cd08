import { Icon } from 'host/ui/icon.tsx';
import { useStream } from 'host/ui/use-stream.ts';
import { useLayoutEffect, useRef } from 'react';
import type { ToastKind } from '../contract.ts';
import type { ShownToast } from '../toasts/toast-store.ts';
import { useDesk } from './desk.ts';
import { PartBoundary } from './part-boundary.tsx';
import { useSay } from './use-say.ts';

const ICONS: Record<ToastKind, string> = { success: 'ok', info: 'info', warning: 'alert', error: 'fail' };
/** The lowest z-index, as required by the specification. */
const STACK_FROM = 2000;

/** Always rendered: screen readers do not announce a live region that is inserted together with its text. */
export function ToastList() {
  const { toasts } = useDesk();
  const say = useSay();
  const shown = useStream(toasts.shown$);
  const region = useRef<HTMLElement>(null);
  const newest = shown.at(-1)?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for every new toast
  useLayoutEffect(() => lift(region.current), [newest]);

  return (
    <section ref={region} className="toasts" popover="manual" aria-label={say('notices')} aria-live="polite">
      {shown.map((toast, index) => (
        <PartBoundary key={toast.id} name="toast">
          <ToastLine toast={toast} zIndex={STACK_FROM + index} />
        </PartBoundary>
      ))}
    </section>
  );
}

/**
 * A modal dialog is in the top layer, above any z-index. The toasts are moved there, too, above it. Since that repeats their entry
 * animation, it only happens when a dialog requires it.
 */
function lift(region: HTMLElement | null): void {
  if (!region?.showPopover) return;
  const isOpen = region.matches(':popover-open');
  if (isOpen && !document.querySelector('dialog:modal')) return;
  if (isOpen) region.hidePopover();
  region.showPopover();
}

function ToastLine({ toast, zIndex }: { toast: ShownToast; zIndex: number }) {
  const { toasts } = useDesk();
  const say = useSay();
  const { id, kind, text, action } = toast;
  const hold = () => toasts.hold(id);
  const release = () => toasts.release(id);
  const line = useRef<HTMLDivElement>(null);
  const cameFrom = useRef<EventTarget | null>(null);
  // Restores the previous focus before the toast is removed.
  useLayoutEffect(
    () => () => {
      if (!line.current?.contains(document.activeElement)) return;
      const before = cameFrom.current;
      const isThere = before instanceof HTMLElement && before.isConnected;
      (isThere ? before : document.getElementById('main'))?.focus({ preventScroll: true });
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
        if (!currentTarget.contains(relatedTarget)) cameFrom.current = relatedTarget;
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
        aria-label={say('dismiss')}
        onClick={() => toasts.dismiss(id)}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}
