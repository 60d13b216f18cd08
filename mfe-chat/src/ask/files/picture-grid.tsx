import { Icon } from 'host/ui/icon.tsx';
import { useState } from 'react';
import { usePartTexts } from '../../state/chat-context.ts';
import type { ChatMessage } from '../../state/chat-message.ts';
import { lateDialog } from '../../state/late-dialog.tsx';
import { fileTexts } from '../../state/part-texts.ts';
import styles from './message-files.module.css';
import { type Picture, picturesOf, usePicture } from './use-picture.ts';

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
