import { createLatePart, Late } from 'host/ui/late-part.tsx';
import { useStream } from 'host/ui/use-stream.ts';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { whenIdle } from '../when-idle.ts';
import { PartBoundary } from './boundaries.tsx';
import { useShell } from './shell.ts';
import { useFrameTranslate } from './use-translate.ts';

const toastLine = createLatePart(async () => {
  const { ToastLine } = await import(/* webpackChunkName: "toast-line" */ './toast-line.tsx');
  return ToastLine;
});

/** The lowest z-index, as required by the specification. */
const MIN_Z_INDEX = 2000;

/** Always rendered: screen readers do not announce a live region that is inserted together with its text. */
export function ToastList() {
  const { toasts } = useShell();
  const t = useFrameTranslate();
  const shown = useStream(toasts.shown$);
  const region = useRef<HTMLElement>(null);
  const newest = shown.at(-1)?.id;
  // Before it is needed: the connection may be lost by then.
  useEffect(() => whenIdle(() => void toastLine.load().catch(() => undefined)), []);
  // Shown before the first toast, so that it is announced, but not in the first commit, where it would force a layout.
  useEffect(() => whenIdle(() => moveToTopLayer(region.current)), []);
  useLayoutEffect(() => {
    if (newest !== undefined) moveToTopLayer(region.current);
  }, [newest]);

  return (
    <section ref={region} className="toasts" popover="manual" aria-label={t('notices')} aria-live="polite">
      {shown.map((toast, index) => (
        <PartBoundary key={toast.id} name="toast">
          <Late part={toastLine} failed={<p className="toast">{toast.text}</p>}>
            {(ToastLine) => (
              <ToastLine toast={toast} isNewest={toast.id === newest} zIndex={MIN_Z_INDEX + index} />
            )}
          </Late>
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
