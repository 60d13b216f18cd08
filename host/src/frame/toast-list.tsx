import { Icon } from 'host/ui/icon.tsx';
import { useStream } from 'host/ui/use-stream.ts';
import { useLayoutEffect, useRef } from 'react';
import type { ToastKind } from '../contract.ts';
import type { ShownToast } from '../toasts/toast-store.ts';
import { useDesk } from './desk.ts';
import { PartBoundary } from './part-boundary.tsx';
import { useSay } from './use-say.ts';

const ICONS: Record<ToastKind, string> = { success: 'ok', info: 'info', warning: 'alert', error: 'fail' };
/** The source's base of stacking. */
const STACK_FROM = 2000;

/** Stands in the page from the start: a live region that comes together with its words is not read aloud. */
export function ToastList() {
  const { toasts } = useDesk();
  const say = useSay();
  const shown = useStream(toasts.shown$);
  const region = useRef<HTMLElement>(null);
  const newest = shown.at(-1)?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: looked after anew for every new toast
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
 * A modal dialog lies in the top layer, over any z-index: the toasts lie there too, above what was opened before them. Lifting
 * plays their arrival again, so it waits for a dialog that needs it.
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
  // Whoever was in it goes back to where they came from, before it takes the focus along.
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
    // biome-ignore lint/a11y/noStaticElementInteractions: hovering only stops its clock
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
