import type { KnowledgeDocumentInfo, KnowledgeSummary } from 'api/contract/knowledge';
import { Button } from 'host/ui/button.tsx';
import { formatSize } from 'host/ui/format-size.ts';
import { grouped } from 'host/ui/grouped.ts';
import { Icon } from 'host/ui/icon.tsx';
import { IconButton } from 'host/ui/icon-button.tsx';
import { MenuButton } from 'host/ui/menu.tsx';
import { ProgressBar } from 'host/ui/progress-bar.tsx';
import { useFormats, useTexts } from 'host/ui/screen.tsx';
import { useStream } from 'host/ui/use-stream.ts';
import { type DragEvent, memo, type ReactNode, useRef, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { useDesk } from '../../lib/services.ts';
import { knowledgeTexts } from '../../lib/texts.ts';
import { describe, whenOf } from '../lib/describe-document.ts';
import { FilePicker } from '../lib/file-picker.tsx';
import { ListSection } from '../lib/list-section.tsx';
import { documentAddress, type KnowledgeLists } from '../lib/use-knowledge-lists.ts';
import { DocumentStatus } from './document-status.tsx';
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
  const { documents, isWhole, isNarrow, embedded, names, queue, editing } = props;
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
    <ListSection
      part="documents"
      of={documents}
      {...{ count, isWhole, isNarrow }}
      empty={
        editing && isUntouched && shown.length === 0
          ? null
          : { about: t(editing ? 'documents.empty.about' : 'documents.empty.reader') }
      }
    >
      {editing && !props.isRestricted && (
        <p className="field-note mb-s3">
          {t(props.guestsAsk ? 'upload.seenBy.guests' : 'upload.seenBy.members')}
        </p>
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
                isOpen={one.id === props.openId}
                collection={names.get(one.collectionId ?? '')}
                {...{ params, editing }}
              />
            ))}
          </tbody>
        </table>
      )}
    </ListSection>
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

export interface DocumentEditing {
  /** Whether the visitor may change what is in its collection. */
  mayEdit(document: KnowledgeDocumentInfo): boolean;
  onRename(document: KnowledgeDocumentInfo): void;
  onReindex(document: KnowledgeDocumentInfo): void;
  onDelete(document: KnowledgeDocumentInfo): void;
  /** Missing if there is no other collection. */
  onMove?(document: KnowledgeDocumentInfo): void;
  /** Publishes a draft. */
  onPublish(document: KnowledgeDocumentInfo): void;
}

interface DocumentRowProps {
  document: KnowledgeDocumentInfo;
  isOpen: boolean;
  params: URLSearchParams;
  editing: DocumentEditing | undefined;
  /** Its collection; undefined for the first one. */
  collection: string | undefined;
}

/** A row of the table of documents; its name opens the document. */
const DocumentRow = memo(function DocumentRow({
  document: one,
  isOpen,
  params,
  editing,
  collection,
}: DocumentRowProps) {
  const t = useTexts(knowledgeTexts);
  const { dates } = useFormats();
  const isReady = one.status === 'ready';
  return (
    <tr>
      <td>
        <div className={`ink-links ${styles.name}`}>
          <Icon className="quiet" name={one.type === 'image' ? 'image' : one.isHandbook ? 'book' : 'file'} />
          <span className="grow">
            <Link
              className="block clip strong"
              to={{ search: documentAddress(params, one.id) }}
              aria-current={isOpen || undefined}
              data-document={one.id}
            >
              {one.title}
            </Link>
            <small className="block clip">{[collection, describe(one, t)].filter(Boolean).join(' · ')}</small>
          </span>
        </div>
      </td>
      <td>
        <DocumentStatus document={one} />
      </td>
      <td className={`right ${styles.opt}`}>{isReady || one.passages > 0 ? one.passages : '–'}</td>
      <td className={`right ${styles.opt}`}>{isReady ? one.cited : '–'}</td>
      <td className={`right quiet nowrap ${styles.opt}`}>{whenOf(one.updatedAt, dates, t)}</td>
      {editing && (
        <td className="right">
          {!one.isHandbook && editing.mayEdit(one) && (
            <MenuButton
              className="icon-button small"
              label={t('moreOf', { name: one.title })}
              items={[
                ...(one.isDraft && isReady
                  ? [{ label: t('draft.publish'), icon: 'check', action: () => editing.onPublish(one) }]
                  : []),
                { label: t('rename'), icon: 'pencil', action: () => editing.onRename(one) },
                ...(editing.onMove
                  ? [{ label: t('move'), icon: 'archive', action: () => editing.onMove?.(one) }]
                  : []),
                { label: t('reindex'), icon: 'retry', action: () => editing.onReindex(one) },
                { label: t('delete'), icon: 'trash', isDanger: true, action: () => editing.onDelete(one) },
              ]}
            />
          )}
        </td>
      )}
    </tr>
  );
});

interface DropAreaProps {
  isActive: boolean;
  onFiles(files: File[]): void;
  children: ReactNode;
}

/** Accepts files dropped anywhere on the screen, with a hint while dragging. The upload button does the same by keyboard. */
export function DropArea({ isActive, onFiles, children }: DropAreaProps) {
  const { t, toasts } = useDesk(knowledgeTexts);
  const [isOver, setIsOver] = useState(false);
  // dragenter of a child fires before dragleave of its parent.
  const depth = useRef(0);
  const takes = (event: DragEvent) => isActive && [...event.dataTransfer.types].includes('Files');
  const enter = (event: DragEvent) => {
    if (!takes(event)) return;
    depth.current += 1;
    setIsOver(true);
  };
  const leave = (event: DragEvent) => {
    if (!takes(event)) return;
    depth.current = Math.max(0, depth.current - 1);
    if (depth.current === 0) setIsOver(false);
  };
  const drop = (event: DragEvent) => {
    depth.current = 0;
    setIsOver(false);
    if (!takes(event)) return;
    event.preventDefault();
    const files = filesOf(event.dataTransfer);
    if (files.length < event.dataTransfer.files.length)
      toasts.show({ kind: 'warning', text: t('upload.folder') });
    onFiles(files);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: an alternative to the upload button
    <div
      className={styles.drop}
      onDragEnter={enter}
      onDragLeave={leave}
      onDragOver={(event) => takes(event) && event.preventDefault()}
      onDrop={drop}
    >
      {children}
      {isOver && (
        <div className={styles.dropHint} aria-hidden="true">
          <b>{t('upload.drop')}</b>
        </div>
      )}
    </div>
  );
}

/** Leaves out folders, which cannot be read. */
function filesOf({ files, items }: DataTransfer): File[] {
  const isFolder = [...(items ?? [])]
    .filter(({ kind }) => kind === 'file')
    .map((item) => item.webkitGetAsEntry?.()?.isDirectory ?? false);
  return [...files].filter((_, index) => !isFolder[index]);
}
