import type { KnowledgeDocumentInfo } from 'api/contract/knowledge';
import type { Translate } from 'host/contract';
import { Button } from 'host/ui/button.tsx';
import { Icon } from 'host/ui/icon.tsx';
import { IconButton } from 'host/ui/icon-button.tsx';
import { useStream } from 'host/ui/use-stream.ts';
import { sizeOf } from './describe-document.ts';
import styles from './documents.module.css';
import type { KnowledgeTexts } from './knowledge-texts.ts';
import type { Upload, UploadQueue } from './upload-queue.ts';

interface UploadListProps {
  queue: UploadQueue;
  t: Translate<KnowledgeTexts>;
  /** The documents of the list, with their current names. */
  documents: readonly KnowledgeDocumentInfo[];
  onRename(document: KnowledgeDocumentInfo): void;
}

/** Running uploads, each with a cancel button, failed ones with the reason, and the latest finished ones, which can be renamed. */
export function UploadList({ queue, t, documents, onRename }: UploadListProps) {
  const currentOf = (one: KnowledgeDocumentInfo) => documents.find(({ id }) => id === one.id) ?? one;
  const uploads = useStream(queue.uploads$);
  if (uploads.length === 0) return null;
  return (
    <ul className={styles.uploads} aria-label={t('upload.list')}>
      {uploads.map((upload) => (
        <li key={upload.id} data-step={upload.step.status}>
          <Icon name={upload.step.status === 'failed' ? 'alert' : 'file'} />
          <p>
            <b className="clip">{upload.name}</b>
            {upload.step.status === 'done' ? (
              <small role="status">
                {t('upload.done', { title: currentOf(upload.step.document).title })}
              </small>
            ) : (
              <UploadStep name={upload.name} size={upload.size} step={upload.step} t={t} />
            )}
          </p>
          {upload.step.status === 'done' && (
            <RenameButton document={currentOf(upload.step.document)} t={t} onRename={onRename} />
          )}
          {upload.step.status === 'failed' && (
            <Button
              look="small"
              label={t('retry')}
              aria-label={t('upload.retry', { name: upload.name })}
              onClick={() => queue.retry(upload.id)}
            />
          )}
          <IconButton
            icon="close"
            label={t(isOnItsWay(upload) ? 'upload.cancel' : 'upload.dismiss', { name: upload.name })}
            isSmall
            onClick={() => queue.remove(upload.id)}
          />
        </li>
      ))}
    </ul>
  );
}

function RenameButton({
  document,
  t,
  onRename,
}: Pick<UploadListProps, 't' | 'onRename'> & { document: KnowledgeDocumentInfo }) {
  return (
    <Button
      look="small"
      icon="pencil"
      label={t('upload.renameShort')}
      aria-label={t('upload.rename', { title: document.title })}
      onClick={() => onRename(document)}
    />
  );
}

type UploadStepProps = Pick<Upload, 'name' | 'size'> & {
  step: Exclude<Upload['step'], { status: 'done' }>;
  t: Translate<KnowledgeTexts>;
};

function UploadStep({ name, size, step, t }: UploadStepProps) {
  if (step.status === 'failed') return <small role="alert">{step.message}</small>;
  if (step.status === 'known') return <small role="status">{t('upload.known', { title: step.title })}</small>;
  if (step.status === 'waiting')
    return (
      <small className="num">
        {t('upload.waiting')} · {sizeOf(size)}
      </small>
    );
  // The request is larger than the file: it also contains the form's boundaries.
  const percent = size === 0 ? 100 : Math.min(100, Math.floor((100 * step.sent) / size));
  return (
    <>
      <small className="num">
        {percent === 100 ? t('upload.settling') : t('upload.sending', { percent })} · {sizeOf(size)}
      </small>
      <span
        className="progress"
        role="progressbar"
        aria-label={t('upload.progress', { name })}
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
      >
        <i style={{ width: `${percent}%` }} />
      </span>
    </>
  );
}

function isOnItsWay({ step }: Upload): boolean {
  return step.status === 'waiting' || step.status === 'sending';
}
