import { Icon } from 'host/ui/icon.tsx';
import { useSecondsUntil } from 'host/ui/use-seconds-until.ts';
import { useStream } from 'host/ui/use-stream.ts';
import { Notice } from './notice.tsx';
import { useFrameTranslate, useShell } from './shell.ts';

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
