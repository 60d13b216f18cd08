import { Icon } from 'host/ui/icon.tsx';
import { useSecondsUntil } from 'host/ui/use-seconds-until.ts';
import { useStream } from 'host/ui/use-stream.ts';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { TimeoutError } from '../remotes/run-module.ts';
import { useFrameTranslate, useShell } from './shell.ts';

interface NoticeProps {
  /** Custom property of the parent element that receives the height of the notice. */
  property: '--missing' | '--off' | '--over' | '--new';
  className?: string;
  children: ReactNode;
}

/**
 * A notice above the page, which may be empty: a live region always exists, so that screen readers announce changes. Its height, which depends on
 * language, width and text size, is stored in the CSS `property` of its parent, so that the content below can reserve the space.
 */
export function Notice({ property, className = 'notice', children }: NoticeProps) {
  const notice = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = notice.current;
    const parent = element?.parentElement;
    if (!element || !parent || typeof ResizeObserver === 'undefined') return;
    // The observer is first called in this frame after its layout. Measuring now would force another layout.
    const observer = new ResizeObserver(() => {
      const height = `${element.offsetHeight}px`;
      if (height !== (parent.style.getPropertyValue(property) || '0px'))
        parent.style.setProperty(property, height);
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      parent.style.removeProperty(property);
    };
  }, [property]);
  return (
    <div ref={notice} className={className} role="status">
      {children}
    </div>
  );
}

/** A banner shown while offline, with the time of the next attempt. */
export function OfflineBanner() {
  const { connection } = useShell();
  const t = useFrameTranslate();
  const { isOnline, retryAt } = useStream(connection.state$);
  const seconds = Math.max(1, useSecondsUntil(retryAt));
  return (
    <Notice property="--off">
      {!isOnline && (
        <div className="banner">
          <Icon name="offline" />
          <p>{t('offline')}</p>
          {/* Hidden from screen readers, which would read it every second. */}
          <span className="num quiet nowrap" aria-hidden="true">
            {retryAt === null ? t('retrying') : t('retryIn', { seconds })}
          </span>
          <button className="button" type="button" onClick={connection.retry}>
            {t('retryNow')}
          </button>
        </div>
      )}
    </Notice>
  );
}

/** Reports that files of the screen or the host failed to load and offers a retry; the screen stays. */
export function MissingParts({ remote }: { remote: string | undefined }) {
  const { loader } = useShell();
  const t = useFrameTranslate();
  const all = useStream(loader.missing$);
  const files = all.filter((file) => file.remote === 'host' || file.remote === remote);
  const [isBusy, setBusy] = useState(false);
  const hasFailed = useRef(false);

  const retry = async () => {
    if (isBusy) return;
    setBusy(true);
    const results = await Promise.allSettled(files.map((file) => file.retry()));
    setBusy(false);
    const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    // Browsers request a file again only in a new page if they still wait for it, could not parse it, or remember that it failed.
    if (errors.some((error) => hasFailed.current || isFinal(error))) location.reload();
    hasFailed.current = errors.length > 0;
    if (errors.length === 0 && (document.activeElement ?? document.body) === document.body)
      document.getElementById('main')?.focus({ preventScroll: true });
  };

  return (
    <Notice property="--missing">
      {files.length > 0 && (
        <div className="banner">
          <Icon name="alert" />
          <p>{t('missingPart')}</p>
          <button className="button" type="button" aria-disabled={isBusy} onClick={retry}>
            {t(isBusy ? 'retrying' : 'retry')}
          </button>
        </div>
      )}
    </Notice>
  );
}

function isFinal(error: unknown): boolean {
  return error instanceof TimeoutError || error instanceof SyntaxError;
}
