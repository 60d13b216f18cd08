import { createLatePart, Late } from 'host/ui/late-part.tsx';
import { useStream } from 'host/ui/use-stream.ts';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { whenIdle } from '../when-idle.ts';
import { FramePart } from './boundaries.tsx';
import { useFrameTranslate, useShell } from './shell.ts';

const toastLine = createLatePart(async () => {
  const { ToastLine } = await import(/* webpackChunkName: "toast-line" */ './toast-line.tsx');
  return ToastLine;
});

/** The lowest z-index, as required by the specification. */
const MIN_Z_INDEX = 2000;

/**
 * Always rendered: screen readers do not announce a live region that is inserted together with its text. While a modal dialog is open, toasts are rendered
 * in it: everything around it is inert, so that they would neither be announced nor reached.
 */
export function ToastList() {
  const { toasts } = useShell();
  const t = useFrameTranslate();
  const shown = useStream(toasts.shown$);
  const region = useRef<HTMLElement>(null);
  const newest = shown.at(-1)?.id;
  // Loads the chunk in advance, because the connection may be lost when a toast needs it.
  useEffect(() => whenIdle(() => void toastLine.load().catch(() => undefined)), []);
  const [dialog, setDialog] = useState<Element | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for every new toast
  useLayoutEffect(() => setDialog(topDialog()), [newest]);
  useEffect(() => {
    if (!dialog) return;
    const leave = () => setDialog(topDialog());
    dialog.addEventListener('close', leave);
    return () => dialog.removeEventListener('close', leave);
  }, [dialog]);
  // Shown before the first toast, so that it is announced, but not in the first commit, where it would force a layout.
  // biome-ignore lint/correctness/useExhaustiveDependencies: also in every new place
  useEffect(() => whenIdle(() => moveToTopLayer(region.current)), [dialog]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: also in every new place
  useLayoutEffect(() => {
    if (newest !== undefined) moveToTopLayer(region.current);
  }, [newest, dialog]);

  const list = (
    <section ref={region} className="toasts" popover="manual" aria-label={t('notices')} aria-live="polite">
      {shown.map((toast, index) => (
        <FramePart key={toast.id} name="toast">
          <Late
            part={toastLine}
            loading={<NotYetShown id={toast.id} />}
            failed={<p className="toast">{toast.text}</p>}
          >
            {(ToastLine) => (
              <ToastLine toast={toast} isNewest={toast.id === newest} zIndex={MIN_Z_INDEX + index} />
            )}
          </Late>
        </FramePart>
      ))}
    </section>
  );
  return dialog ? createPortal(list, dialog) : list;
}

/** Pauses the timer of a toast that is not visible yet. */
function NotYetShown({ id }: { id: number }) {
  const { toasts } = useShell();
  useLayoutEffect(() => {
    toasts.hold(id);
    return () => toasts.release(id);
  }, [toasts, id]);
  return null;
}

function topDialog(): Element | null {
  return [...document.querySelectorAll('dialog[open]')].at(-1) ?? null;
}

/**
 * A modal dialog is in the top layer, above any z-index. The toasts are moved there, too, above it. Since that repeats their entry
 * animation, it only happens when a dialog requires it.
 */
function moveToTopLayer(region: HTMLElement | null): void {
  // While the dialog around it closes, the region is not connected, and showing it would throw.
  if (!region?.showPopover || !region.isConnected) return;
  const isOpen = region.matches(':popover-open');
  if (isOpen && !document.querySelector('dialog:modal')) return;
  if (isOpen) region.hidePopover();
  region.showPopover();
}
