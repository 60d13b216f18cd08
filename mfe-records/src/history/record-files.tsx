import type { DeskRecord } from 'api/contract/records';
import { Icon } from 'host/ui/icon.tsx';
import { NoticeDetails } from 'host/ui/reading-notices/reading-notices.tsx';
import { useTexts } from 'host/ui/screen.tsx';
import { useEffect, useState } from 'react';
import { useServices } from '../lib/services.ts';
import { historyTexts } from '../lib/texts.ts';
import type { Transfer } from '../lib/use-transfer.ts';
import styles from './detail.module.css';

interface RecordFilesProps {
  record: DeskRecord;
  transfer: Transfer;
}

/** Pictures and files of a question. Both are loaded with the session's token, because only their owner may read them. */
export function RecordFiles({ record: { imgUrls, files }, transfer }: RecordFilesProps) {
  const t = useTexts(historyTexts);
  const documents = files.filter(({ url }) => !imgUrls.includes(url));
  if (imgUrls.length + documents.length === 0) return null;
  return (
    <section className="line wrap chips mb-s5" aria-label={t('file')}>
      {imgUrls.map((url) => (
        <Picture key={url} url={url} />
      ))}
      {documents.map((file) => (
        <div key={file.id}>
          <button
            className="chip"
            type="button"
            onClick={() =>
              transfer.save({ label: file.name, name: file.name, request: { method: 'GET', url: file.url } })
            }
          >
            <Icon name="file" />
            {file.name}
            <Icon name="download" />
          </button>
          {file.notices && <NoticeDetails notices={file.notices} t={t} />}
        </div>
      ))}
    </section>
  );
}

function Picture({ url }: { url: string }) {
  const t = useTexts(historyTexts);
  const { http } = useServices();
  const [source, setSource] = useState('');
  const [hasFailed, setHasFailed] = useState(false);
  useEffect(() => {
    if (!url.startsWith('/api/')) return setHasFailed(true);
    const leaving = new AbortController();
    let objectUrl = '';
    http.get<Blob>(url, { responseType: 'blob', signal: leaving.signal }).then(
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
  }, [http, url]);
  if (hasFailed) return <p className="quiet">{t('picture.failed')}</p>;
  if (!source) return <span className={`skeleton-line ${styles.picture}`} />;
  return <img className={styles.picture} src={source} alt={t('picture')} />;
}
