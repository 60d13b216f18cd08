import { createPortal } from 'react-dom';
import { useChat } from './chat-context.ts';
import { Icon } from './icon.tsx';
import styles from './message.module.css';
import { useModal } from './use-modal.ts';

export function PictureDialog({ source, onClose }: { source: string; onClose(): void }) {
  const { t, layer } = useChat();
  const ref = useModal(onClose);
  if (!layer) return null;
  return createPortal(
    <dialog ref={ref} className="dialog" aria-label={t('picture')}>
      <div className={`dialog-sheet ${styles.pictureSheet}`}>
        <header className="dialog-head">
          <h2>{t('picture')}</h2>
          <button className="icon-button" type="button" aria-label={t('close')} onClick={onClose}>
            <Icon name="close" />
          </button>
        </header>
        <div className="dialog-body">
          <img src={source} alt="" />
        </div>
      </div>
    </dialog>,
    layer,
  );
}
