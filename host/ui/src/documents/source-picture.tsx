import { useQuery } from '@tanstack/react-query';
import { useObjectUrl } from '../use-object-url.ts';
import type { SourceFailure, SourceReader } from './source-reader.ts';
import type { SourceTranslate } from './source-texts.ts';
import styles from './source-viewer.module.css';

interface SourcePictureProps {
  documentId: string;
  name: string;
  reader: SourceReader;
  t: SourceTranslate;
}

/** The picture whose recognised text an answer cites, shown above that text. Omitted if it cannot be loaded. */
export function SourcePicture({ documentId, name, reader, t }: SourcePictureProps) {
  const { data } = useQuery<Blob, SourceFailure>({
    queryKey: ['file', documentId],
    queryFn: ({ signal }) => reader.file(documentId, signal),
  });
  const url = useObjectUrl(data ?? null);
  return (
    <>
      {url && <img className={styles.picture} src={url} alt={t('picture', { name })} />}
      <h3>{t('recognised')}</h3>
    </>
  );
}
