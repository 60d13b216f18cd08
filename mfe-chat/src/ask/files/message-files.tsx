import { Button } from 'host/ui/button.tsx';
import { formatSize } from 'host/ui/format-size.ts';
import { Icon } from 'host/ui/icon.tsx';
import { NoticeDetails } from 'host/ui/reading-notices/reading-notices.tsx';
import { saveFile } from 'host/ui/save-file.ts';
import { useAction } from 'host/ui/use-action.ts';
import { useState } from 'react';
import { useChat, usePartTexts } from '../../state/chat-context.ts';
import type { ChatMessage, FileProgress, MessageFile } from '../../state/chat-message.ts';
import { lateDialog } from '../../state/late-dialog.tsx';
import { fileTexts } from '../../state/part-texts.ts';
import styles from './message-files.module.css';
import { type Picture, picturesOf, usePicture } from './use-picture.ts';

/** The files of a question that are not pictures. Each is a button that downloads it. */
export function MessageFiles({ message }: { message: ChatMessage }) {
  const t = usePartTexts(fileTexts);
  const files = message.files.filter(({ isImage }) => !isImage);
  if (!files.length) return null;
  return (
    <ul className={styles.files} aria-label={t('files')}>
      {files.map((file, index) => (
        <li key={file.url || file.attached?.id || index}>
          <FileChip file={file} />
          {file.notices && <NoticeDetails notices={file.notices} t={t} />}
        </li>
      ))}
    </ul>
  );
}

function FileChip({ file: { name, url, pages, attached } }: { file: MessageFile }) {
  const { services } = useChat();
  const t = usePartTexts(fileTexts);
  const locale = services.i18n.locale();
  const { isBusy: isLoading, run } = useAction({ toasts: services.toasts });
  const save = () => {
    if (attached) return saveFile(attached.file, name);
    if (!url.startsWith('/api/')) return;
    // Downloads only: an HTML file opened from an object URL would run with this page's origin.
    void run(async () => saveFile((await services.http.get<Blob>(url, { responseType: 'blob' })).data, name));
  };
  const ending = /\.(\w{1,8})$/.exec(name)?.[1]?.toUpperCase() ?? '';
  const extent = attached
    ? formatSize(attached.file.size)
    : pages > 1 && t('pages', { count: pages.toLocaleString(locale) });
  const details = [ending, extent].filter(Boolean).join(' · ');
  return (
    <button className={styles.file} type="button" title={name} aria-busy={isLoading} onClick={save}>
      <Icon name="file" className="ink-2" />
      <span>
        <span className="sr">{t('download')}</span>
        <span className="clip">{name}</span>
        {details && <small>{details}</small>}
      </span>
      <Icon name="download" className="icon-s quiet" />
    </button>
  );
}

export const PictureDialog = lateDialog(
  async () => (await import(/* webpackChunkName: "picture" */ './picture-dialog.tsx')).PictureDialog,
);

/** The pictures of a question, in boxes of a fixed size, so that the layout does not shift when they load. */
export function Pictures({ message }: { message: ChatMessage }) {
  const t = usePartTexts(fileTexts);
  const [openAt, setOpenAt] = useState<number | null>(null);
  const pictures = picturesOf(message).map((picture, index) => ({
    ...picture,
    name: picture.name || t('unnamed', { n: index + 1 }),
  }));
  if (!pictures.length) return null;
  return (
    <>
      <ul className={styles.grid} data-count={Math.min(pictures.length, 3)} aria-label={t('pictures')}>
        {pictures.map((picture, index) => (
          <li key={picture.key}>
            <Thumbnail picture={picture} onOpen={() => setOpenAt(index)} />
          </li>
        ))}
      </ul>
      {openAt !== null && (
        <PictureDialog pictures={pictures} startAt={openAt} onClose={() => setOpenAt(null)} />
      )}
    </>
  );
}

function Thumbnail({ picture, onOpen }: { picture: Picture; onOpen(): void }) {
  const t = usePartTexts(fileTexts);
  const { source, hasFailed, fail, again } = usePicture(picture);
  const { name } = picture;
  if (hasFailed)
    return (
      <button
        className={`${styles.picture} ${styles.failed}`}
        type="button"
        aria-label={t('pictureFailed', { name })}
        title={t('pictureFailed', { name })}
        onClick={again}
      >
        <Icon name="alert" />
        <span>{t('retry')}</span>
      </button>
    );
  return (
    <button
      className={styles.picture}
      type="button"
      aria-label={t('openPicture', { name })}
      aria-haspopup="dialog"
      aria-busy={!source}
      onClick={onOpen}
    >
      {source ? (
        <img src={source} alt="" onError={fail} />
      ) : (
        <span className={`skeleton-line ${styles.skeleton}`} />
      )}
    </button>
  );
}

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
