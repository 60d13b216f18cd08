import { Icon } from 'host/ui/icon.tsx';
import { createLatePart } from 'host/ui/late-part.tsx';
import { useState } from 'react';
import type { ChatMessage } from '../../state/chat-message.ts';
import { LateDialog } from '../../state/late-dialog.tsx';
import { fileTexts, useTexts } from '../../state/part-texts.ts';
import styles from './message-files.module.css';
import { type Picture, picturesOf, usePicture } from './use-picture.ts';

export const pictureDialog = createLatePart(
  () => import(/* webpackChunkName: "picture" */ './picture-dialog.tsx'),
);

/** The pictures of a question, in boxes of a fixed size, so that the layout does not shift when they load. */
export function Pictures({ message }: { message: ChatMessage }) {
  const t = useTexts(fileTexts);
  const [openAt, setOpenAt] = useState<number | null>(null);
  const pictures = picturesOf(message).map((picture, index) => ({
    ...picture,
    name: picture.name || t('unnamed', { n: index + 1 }),
  }));
  const close = () => setOpenAt(null);
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
        <LateDialog part={pictureDialog} onClose={close}>
          {({ PictureDialog }) => <PictureDialog pictures={pictures} startAt={openAt} onClose={close} />}
        </LateDialog>
      )}
    </>
  );
}

function Thumbnail({ picture, onOpen }: { picture: Picture; onOpen(): void }) {
  const t = useTexts(fileTexts);
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
