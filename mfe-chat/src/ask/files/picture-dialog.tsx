import { Button } from 'host/ui/button.tsx';
import { Dialog } from 'host/ui/dialog.tsx';
import { IconButton } from 'host/ui/icon-button.tsx';
import { saveFile } from 'host/ui/save-file.ts';
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { usePartTexts } from '../../state/chat-context.ts';
import { type FileTranslate, fileTexts } from '../../state/part-texts.ts';
import styles from './picture-dialog.module.css';
import { type Picture, usePicture } from './use-picture.ts';

/** Minimum length of a swipe in px; it must also be more horizontal than vertical. */
const SWIPE = 40;

export interface PictureDialogProps {
  pictures: readonly Picture[];
  startAt: number;
  onClose(): void;
}

/** Shows one picture at a time, with buttons, arrow keys and swipes to move on. */
export function PictureDialog({ pictures, startAt, onClose }: PictureDialogProps) {
  const t = usePartTexts(fileTexts);
  const [at, setAt] = useState(startAt);
  const from = useRef<{ x: number; y: number } | null>(null);
  const count = pictures.length;
  const shown = pictures[Math.min(at, count - 1)];
  const go = (step: number) => setAt((now) => Math.max(0, Math.min(count - 1, now + step)));
  const press = (event: KeyboardEvent) => {
    const to = { ArrowLeft: -1, ArrowRight: 1, Home: -count, End: count }[event.key];
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    go(to);
  };
  const release = ({ clientX, clientY, isPrimary }: PointerEvent) => {
    const start = from.current;
    from.current = null;
    if (!start || !isPrimary) return;
    const [x, y] = [clientX - start.x, clientY - start.y];
    if (Math.abs(x) >= SWIPE && Math.abs(x) > Math.abs(y)) go(x < 0 ? 1 : -1);
  };
  if (!shown) return null;
  return (
    <Dialog
      label={t('viewer.title')}
      title={shown.name}
      titleClassName="clip"
      sheetClassName={styles.sheet}
      bodyClassName={styles.body}
      onClose={onClose}
      onKeyDown={press}
    >
      <div
        className={styles.stage}
        onPointerDown={({ clientX, clientY, isPrimary }) => {
          from.current = isPrimary ? { x: clientX, y: clientY } : null;
        }}
        onPointerUp={release}
        onPointerCancel={() => {
          from.current = null;
        }}
      >
        <Shown key={shown.key} picture={shown} t={t} />
      </div>
      {count > 1 && (
        <footer className={styles.foot}>
          <IconButton
            icon="arrow"
            iconClassName="up"
            label={t('viewer.previous')}
            hasTitle
            aria-disabled={at === 0}
            onClick={() => go(-1)}
          />
          <p role="status">{t('viewer.of', { n: at + 1, count })}</p>
          <IconButton
            icon="arrow"
            label={t('viewer.next')}
            hasTitle
            aria-disabled={at === count - 1}
            onClick={() => go(1)}
          />
        </footer>
      )}
    </Dialog>
  );
}

function Shown({ picture, t }: { picture: Picture; t: FileTranslate }) {
  const { source, blob, hasFailed, fail, again } = usePicture(picture);
  if (hasFailed)
    return (
      <div className={styles.message} role="alert">
        <p>{t('viewer.failed')}</p>
        <Button look="small" icon="retry" label={t('retry')} onClick={again} />
      </div>
    );
  if (!source)
    return (
      <p className={styles.message} role="status">
        {t('viewer.loading')}
      </p>
    );
  return (
    <>
      <img src={source} alt={picture.name} draggable={false} onError={fail} />
      <IconButton
        icon="download"
        label={t('download')}
        hasTitle
        className={styles.save}
        onClick={() => blob && saveFile(blob, picture.name)}
      />
    </>
  );
}
