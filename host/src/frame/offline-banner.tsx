import { useSyncExternalStore } from 'react';
import { useDesk } from './desk.ts';
import { Icon } from './icon.tsx';
import { useStream } from './use-stream.ts';

/** An amber bar while the browser has no network; its live region stands from the start. */
export function OfflineBanner() {
  const { i18n, say } = useDesk();
  useStream(i18n.language$);
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine);
  return (
    <div className="notice" role="status">
      {!isOnline && (
        <div className="banner">
          <Icon name="offline" />
          <p>{say('offline')}</p>
        </div>
      )}
    </div>
  );
}

function subscribe(notify: () => void): () => void {
  window.addEventListener('online', notify);
  window.addEventListener('offline', notify);
  return () => {
    window.removeEventListener('online', notify);
    window.removeEventListener('offline', notify);
  };
}
