import { useSyncExternalStore } from 'react';
import { Icon } from './icon.tsx';
import { useSay } from './use-say.ts';

/** An amber bar while the browser has no network; its live region stands from the start. */
export function OfflineBanner() {
  const say = useSay();
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
