import { useEffect, useState } from 'react';
import { useChat } from './chat-context.ts';
import styles from './message.module.css';
import { PictureDialog } from './picture-dialog.tsx';

/**
 * A picture that only its owner may read: fetched with the session and shown by an object URL, which is given back when the picture
 * leaves the page. Addresses outside the API are not loaded at all.
 */
export function PrivateImage({ url }: { url: string }) {
  const { services, t } = useChat();
  const [source, setSource] = useState('');
  const [hasFailed, setHasFailed] = useState(false);
  const [isOpen, setIsOpen] = useState(false);

  useEffect(() => {
    if (!url.startsWith('/api/')) return setHasFailed(true);
    const leaving = new AbortController();
    let objectUrl = '';
    services.http.get<Blob>(url, { responseType: 'blob', signal: leaving.signal }).then(
      ({ data }) => {
        if (leaving.signal.aborted) return;
        objectUrl = URL.createObjectURL(data);
        setSource(objectUrl);
      },
      () => leaving.signal.aborted || setHasFailed(true),
    );
    return () => {
      leaving.abort();
      if (objectUrl) URL.revokeObjectURL(objectUrl);
    };
  }, [services, url]);

  if (hasFailed) return <p className={styles.note}>{t('pictureFailed')}</p>;
  return (
    <>
      <button
        className={styles.picture}
        type="button"
        aria-label={t('picture')}
        onClick={() => source && setIsOpen(true)}
      >
        {source ? <img src={source} alt="" /> : <span className={`bone ${styles.pictureBone}`} />}
      </button>
      {isOpen && <PictureDialog source={source} onClose={() => setIsOpen(false)} />}
    </>
  );
}
