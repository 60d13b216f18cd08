import { Button } from 'host/ui/button.tsx';
import { Icon } from 'host/ui/icon.tsx';
import type { ReactNode, RefObject } from 'react';
import { useFrame } from '../state/chat-context.ts';
import styles from './side-panel.module.css';

interface SidePanelProps {
  panelRef: RefObject<HTMLElement | null>;
  /** Whether the panel is open as a drawer, in narrow windows. */
  isOpen: boolean;
  onNew(): void;
  onHide(): void;
  children: ReactNode;
}

/** The side panel, 333 px wide; a drawer in narrow windows. It can be hidden. */
export function SidePanel({ panelRef, isOpen, onNew, onHide, children }: SidePanelProps) {
  const { t } = useFrame();
  return (
    <aside
      ref={panelRef}
      className={`no-print ${styles.side}`}
      id="side"
      aria-label={t('conversations')}
      data-open={isOpen || undefined}
    >
      <div className={`head ${styles.head}`}>
        <h2>{t('conversations')}</h2>
        <span className="space" />
        <Button look="small" icon="plus" label={t('newQuestion')} onClick={onNew} />
        <button
          className={`icon-button ${styles.hide}`}
          type="button"
          aria-label={t('closePanel')}
          title={t('closePanel')}
          aria-expanded
          aria-controls="side"
          onClick={onHide}
        >
          <Icon name="panel" />
          <Icon name="close" />
        </button>
      </div>
      {children}
    </aside>
  );
}
