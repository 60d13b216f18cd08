import { useQuery } from '@tanstack/react-query';
import type { DeskRecord } from 'api/contract/records';
import { Icon } from 'host/ui/icon.tsx';
import { NoticeDetails } from 'host/ui/reading-notices/reading-notices.tsx';
import { useTexts } from 'host/ui/screen.tsx';
import { useObjectUrl } from 'host/ui/use-object-url.ts';
import { useServices } from '../lib/services.ts';
import { historyTexts } from '../lib/texts.ts';
import type { Transfer } from '../lib/transfer.tsx';
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
  const isOurs = url.startsWith('/api/');
  const { data, error } = useQuery({
    queryKey: ['picture', url],
    queryFn: async ({ signal }) => (await http.get<Blob>(url, { responseType: 'blob', signal })).data,
    enabled: isOurs,
  });
  const source = useObjectUrl(data ?? null);
  if (error || !isOurs) return <p className="quiet">{t('picture.failed')}</p>;
  if (!source) return <span className={`skeleton-line ${styles.picture}`} />;
  return <img className={styles.picture} src={source} alt={t('picture')} />;
}
