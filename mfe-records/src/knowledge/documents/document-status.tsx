import type { KnowledgeDocumentInfo } from 'api/contract/knowledge';
import { ProgressBar } from 'host/ui/progress-bar.tsx';
import { noticeMark } from 'host/ui/reading-notices/reading-notices.tsx';
import { useTexts } from 'host/ui/screen.tsx';
import { knowledgeTexts } from '../../lib/texts.ts';
import styles from './documents.module.css';

interface DocumentStatusProps {
  document: KnowledgeDocumentInfo;
}

/** Whether a document can be cited and is complete, its indexing progress, or why it failed. */
export function DocumentStatus({
  document: { status, progress, error, title, notices, isDraft },
}: DocumentStatusProps) {
  const t = useTexts(knowledgeTexts);
  if (status === 'ready')
    return (
      <span className={styles.dot} data-partly={notices || isDraft ? true : undefined}>
        <span>
          {[t(isDraft ? 'status.draft' : 'status.ready'), notices && noticeMark(notices, t)]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </span>
    );
  if (status === 'failed')
    return (
      <span className={styles.dot} data-failed title={error ?? undefined}>
        <span>{error || t('status.unreadable')}</span>
      </span>
    );
  const percent = Math.floor(Math.min(Math.max(progress, 0), 1) * 100);
  return (
    <span className="stack gap-s1 type-small">
      <span className="num">{t('status.indexing', { percent })}</span>
      <ProgressBar label={t('status.indexing.of', { name: title })} value={percent} />
    </span>
  );
}
