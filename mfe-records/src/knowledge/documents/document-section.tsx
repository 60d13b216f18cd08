import type { KnowledgeDocumentInfo, KnowledgeSummary } from 'api/contract/knowledge';
import { Button } from 'host/ui/button.tsx';
import { formatSize } from 'host/ui/format-size.ts';
import { grouped } from 'host/ui/grouped.ts';
import { Icon } from 'host/ui/icon.tsx';
import { IconButton } from 'host/ui/icon-button.tsx';
import { ProgressBar } from 'host/ui/progress-bar.tsx';
import { useTexts } from 'host/ui/screen.tsx';
import { useStream } from 'host/ui/use-stream.ts';
import { useSearchParams } from 'react-router-dom';
import { knowledgeTexts } from '../../lib/texts.ts';
import { FilePicker } from '../lib/file-picker.tsx';
import { ListEnd, ListHead } from '../lib/list-head.tsx';
import type { KnowledgeLists } from '../lib/use-knowledge-lists.ts';
import { type DocumentEditing, DocumentRow } from './document-row.tsx';
import styles from './documents.module.css';
import type { Upload, UploadQueue } from './upload-queue.ts';

interface DocumentSectionProps {
  documents: KnowledgeLists['documents'];
  /** All documents with a search field; otherwise the first few. */
  isWhole: boolean;
  isNarrow: boolean;
  guestsAsk: boolean;
  /** Whether uploads are for some people only. */
  isRestricted: boolean;
  /** Number of passages with embeddings, and in total; undefined without embeddings. */
  embedded?: KnowledgeSummary['embedded'];
  openId: string | null;
  /** Names of collections by id. */
  names: ReadonlyMap<string, string>;
  queue: UploadQueue;
  editing?: DocumentEditing & { onFiles(files: File[]): void };
}

const FEW = 5;

/** Uploaded documents and the product's handbook: status, and how often they were cited. */
export function DocumentSection(props: DocumentSectionProps) {
  const t = useTexts(knowledgeTexts);
  const { documents, isWhole, isNarrow, guestsAsk, isRestricted, embedded, openId, names, queue, editing } =
    props;
  const { list } = documents;
  const [params] = useSearchParams();
  const shown = isWhole ? list.items : list.items.slice(0, FEW);
  // Uploads are listed before the handbook. If the handbook comes first, there are none.
  const isUntouched =
    list.hasBegun && documents.query.trim() === '' && list.items.every(({ isHandbook }) => isHandbook);
  const isEmbedding = embedded && embedded.done < embedded.total;
  const share = embedded ? Math.floor((100 * embedded.done) / Math.max(1, embedded.total)) : 0;
  const count =
    t('documents.count', { count: grouped(list.total), passages: grouped(list.passages) }) +
    (isEmbedding ? t('documents.embedding', { share }) : '');
  return (
    <section className="section" aria-label={t('documents')}>
      <ListHead
        part="documents"
        count={list.hasBegun && list.total > 0 ? count : ''}
        {...{ isWhole, isNarrow, params }}
        isEmpty={list.hasBegun && list.total === 0}
        search={documents}
      />
      {editing && !isRestricted && (
        <p className="field-note mb-s3">{t(guestsAsk ? 'upload.seenBy.guests' : 'upload.seenBy.members')}</p>
      )}
      {editing && <UploadList queue={queue} documents={list.items} onRename={editing.onRename} />}
      {editing && isUntouched && (
        <div className={styles.start}>
          <p className="grow">
            <b className="block">{t('documents.empty.own')}</b>
            <span className="type-small ink-2">{t('documents.empty.drop')}</span>
          </p>
          <FilePicker label={t('upload.choose')} className="button" onFiles={editing.onFiles} />
        </div>
      )}
      {shown.length > 0 && (
        <table className={`table ${styles.table}`} data-behind={list.isBehind || undefined}>
          <thead>
            <tr>
              <th>{t('name')}</th>
              <th>{t('status')}</th>
              <th className={`right ${styles.opt}`}>{t('passages')}</th>
              <th className={`right ${styles.opt}`}>{t('cited')}</th>
              <th className={`right ${styles.opt}`}>{t('updated')}</th>
              {editing && (
                <th>
                  <span className="sr">{t('actions')}</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {shown.map((one) => (
              <DocumentRow
                key={one.id}
                document={one}
                isOpen={one.id === openId}
                collection={names.get(one.collectionId ?? '')}
                {...{ params, editing }}
              />
            ))}
          </tbody>
        </table>
      )}
      {(!editing || !isUntouched || shown.length > 0) && (
        <ListEnd
          {...{ list, isWhole }}
          query={documents.query}
          title={t('documents.failed')}
          more={t('documents.more')}
          empty={{
            title: t('documents.empty'),
            about: t(editing ? 'documents.empty.about' : 'documents.empty.reader'),
          }}
        />
      )}
    </section>
  );
}

interface UploadListProps {
  queue: UploadQueue;
  /** The documents of the list, with their current names. */
  documents: readonly KnowledgeDocumentInfo[];
  onRename(document: KnowledgeDocumentInfo): void;
}

/** Running uploads, each with a cancel button, failed ones with the reason, and the latest finished ones, which can be renamed. */
function UploadList({ queue, documents, onRename }: UploadListProps) {
  const t = useTexts(knowledgeTexts);
  const currentOf = (one: KnowledgeDocumentInfo) => documents.find(({ id }) => id === one.id) ?? one;
  const uploads = useStream(queue.uploads$);
  if (uploads.length === 0) return null;
  return (
    <ul className={`ruled ${styles.uploads}`} aria-label={t('upload.list')}>
      {uploads.map(({ id, name, size, step }) => {
        const done = step.status === 'done' ? currentOf(step.document) : null;
        const isOnItsWay = step.status === 'waiting' || step.status === 'sending';
        return (
          <li className="line py-s2" key={id} data-step={step.status}>
            {step.status === 'failed' ? (
              <Icon name="alert" className="ink-error" />
            ) : (
              <Icon name="file" className="quiet" />
            )}
            <p>
              <b className="type-small strong clip">{name}</b>
              {step.status === 'done' ? (
                <small role="status">{t('upload.done', { title: currentOf(step.document).title })}</small>
              ) : (
                <UploadStep {...{ name, size, step }} />
              )}
            </p>
            {done && (
              <Button
                look="small"
                icon="pencil"
                label={t('rename')}
                aria-label={t('upload.rename', { title: done.title })}
                onClick={() => onRename(done)}
              />
            )}
            {step.status === 'failed' && (
              <Button
                look="small"
                label={t('retry')}
                aria-label={t('upload.retry', { name })}
                onClick={() => queue.retry(id)}
              />
            )}
            <IconButton
              icon="close"
              label={t(isOnItsWay ? 'upload.cancel' : 'upload.dismiss', { name })}
              isSmall
              onClick={() => queue.remove(id)}
            />
          </li>
        );
      })}
    </ul>
  );
}

type UploadStepProps = Pick<Upload, 'name' | 'size'> & {
  step: Exclude<Upload['step'], { status: 'done' }>;
};

function UploadStep({ name, size, step }: UploadStepProps) {
  const t = useTexts(knowledgeTexts);
  if (step.status === 'failed') {
    return (
      <small className="ink-error" role="alert">
        {step.message}
      </small>
    );
  }
  if (step.status === 'known') return <small role="status">{t('upload.known', { title: step.title })}</small>;
  if (step.status === 'waiting')
    return (
      <small className="num">
        {t('upload.waiting')} · {formatSize(size)}
      </small>
    );
  // The request is larger than the file: it also contains the form's boundaries.
  const percent = size === 0 ? 100 : Math.min(100, Math.floor((100 * step.sent) / size));
  return (
    <>
      <small className="num">
        {percent === 100 ? t('upload.settling') : t('upload.sending', { percent })} · {formatSize(size)}
      </small>
      <ProgressBar label={t('upload.progress', { name })} value={percent} />
    </>
  );
}
