import { Icon } from 'host/ui/icon.tsx';
import { useStream } from 'host/ui/use-stream.ts';
import { useEffect, useRef, useState } from 'react';
import { useFrameTranslate, useShell } from './shell.ts';
import { useNoticeHeight } from './use-notice-height.ts';

/** A banner shown while offline, with the time of the next attempt. The live region always exists. */
export function OfflineBanner() {
  const { connection } = useShell();
  const t = useFrameTranslate();
  const { isOnline, retryAt } = useStream(connection.state$);
  const seconds = useSecondsUntil(retryAt);
  const notice = useRef<HTMLDivElement>(null);
  useNoticeHeight(notice, '--off');
  return (
    <div ref={notice} className="notice" role="status">
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
    </div>
  );
}

/** Seconds until `time`, rounded up and counting down. */
function useSecondsUntil(time: number | null): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (time === null) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [time]);
  return time === null ? 0 : Math.max(1, Math.ceil((time - now) / 1000));
}
