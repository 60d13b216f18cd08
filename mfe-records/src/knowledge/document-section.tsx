import type { KnowledgeDocumentInfo, KnowledgeSummary } from 'api/contract/knowledge';
import type { Translate } from 'host/contract';
import type { DateFormats } from 'host/ui/format-date.ts';
import { grouped } from 'host/ui/grouped.ts';
import { useSearchParams } from 'react-router-dom';
import { type DocumentEditing, DocumentRow } from './document-row.tsx';
import styles from './documents.module.css';
import { FilePicker } from './file-picker.tsx';
import type { KnowledgeTexts } from './knowledge-texts.ts';
import { ListEnd } from './list-end.tsx';
import { ListHead } from './list-head.tsx';
import { UploadList } from './upload-list.tsx';
import type { UploadQueue } from './upload-queue.ts';
import type { SearchedList } from './use-knowledge-lists.ts';

interface DocumentSectionProps {
  calendar: DateFormats;
  t: Translate<KnowledgeTexts>;
  documents: SearchedList<KnowledgeDocumentInfo>;
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
  const {
    calendar,
    t,
    documents,
    isWhole,
    isNarrow,
    guestsAsk,
    isRestricted,
    embedded,
    openId,
    names,
    queue,
    editing,
  } = props;
  const { list } = documents;
  const [params] = useSearchParams();
  const shown = isWhole ? list.items : list.items.slice(0, FEW);
  // Uploads come before the handbook: if it is first, there are none.
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
        {...{ t, isWhole, isNarrow, params }}
        isEmpty={list.hasBegun && list.total === 0}
        search={documents}
      />
      {editing && !isRestricted && (
        <p className={`field-note ${styles.seenBy}`}>
          {t(guestsAsk ? 'upload.seenBy.guests' : 'upload.seenBy.members')}
        </p>
      )}
      {editing && <UploadList queue={queue} t={t} documents={list.items} onRename={editing.onRename} />}
      {editing && isUntouched && (
        <div className={styles.start}>
          <p>
            <b>{t('documents.empty.own')}</b>
            {t('documents.empty.drop')}
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
                {...{ calendar, t, params, editing }}
              />
            ))}
          </tbody>
        </table>
      )}
      {(!editing || !isUntouched || shown.length > 0) && (
        <ListEnd
          {...{ t, list, isWhole }}
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
