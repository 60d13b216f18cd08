import { Button } from 'host/ui/button.tsx';
import { formatSize } from 'host/ui/format-size.ts';
import { useChat, usePartTexts } from '../../state/chat-context.ts';
import type { FileProgress } from '../../state/chat-message.ts';
import { fileTexts } from '../../state/part-texts.ts';
import styles from './files-progress.module.css';

/** Upload and reading progress of a question's files, shown in place of the answer, with a button to cancel. */
export function FilesProgress({ progress }: { progress: FileProgress }) {
  const { services, chat } = useChat();
  const t = usePartTexts(fileTexts);
  const { share, text } = describe();
  return (
    <div className={styles.progress}>
      <div
        className="progress"
        role="progressbar"
        aria-label={t(progress.kind === 'upload' ? 'files' : 'reading')}
        aria-valuetext={text}
        aria-valuemin={0}
        aria-valuemax={100}
        {...(share === null ? {} : { 'aria-valuenow': Math.round(share * 100) })}
        data-unknown={share === null || undefined}
      >
        <i style={{ width: share === null ? '30%' : `${share * 100}%` }} />
      </div>
      <p className="line gap-s3 spread type-small quiet num">
        <span className="grow breakable">{text}</span>
        <Button look="small bare" label={t('cancel')} onClick={() => void chat.consultation.stop()} />
      </p>
    </div>
  );

  function describe(): { share: number | null; text: string } {
    const locale = services.i18n.locale();
    if (progress.kind === 'upload') {
      const { loaded, total } = progress;
      const share = total ? Math.min(1, loaded / total) : 0;
      const sizes = { loaded: formatSize(loaded), total: formatSize(total) };
      return { share, text: t('ofTotal', { ...sizes, percent: Math.floor(share * 100) }) };
    }
    if (!progress.at) return { share: null, text: t('reading') };
    const { file, files, name, done, total } = progress.at;
    // After the last page the server indexes the text, which has no progress steps.
    if (total > 1 && done >= total && file + 1 >= files) return { share: null, text: t('sorting') };
    const numbers = { done: done.toLocaleString(locale), total: total.toLocaleString(locale) };
    const parts = [
      t('readingFile', { name }),
      ...(files > 1 ? [t('fileOf', { n: file + 1, count: files })] : []),
      ...(total > 1 ? [t(/\.pdf$/i.test(name) ? 'pageOf' : 'stepOf', numbers)] : []),
    ];
    const share = total ? (file + done / total) / Math.max(1, files) : null;
    return { share, text: parts.join(t('notice.and')) };
  }
}
