import { Button } from 'host/ui/button.tsx';
import { Icon } from 'host/ui/icon.tsx';
import { MenuButton, type MenuItem } from 'host/ui/menu.tsx';
import { ScreenHead, useTexts } from 'host/ui/screen.tsx';
import { knowledgeTexts } from '../lib/texts.ts';
import { FilePicker } from './lib/file-picker.tsx';
import styles from './lib/knowledge.module.css';

interface KnowledgeHeadProps {
  /** undefined while unknown, or if collections answer different people. */
  guestsAsk?: boolean;
  /** Actions of editors; undefined for readers. */
  editing?: { menu: MenuItem[]; onNewPair(): void; onFiles(files: File[]): void };
}

/** Header with title and, for editors, buttons to add knowledge. */
export function KnowledgeHead({ guestsAsk, editing }: KnowledgeHeadProps) {
  const t = useTexts(knowledgeTexts);
  return (
    <ScreenHead
      title={t('title')}
      aside={
        guestsAsk !== undefined && (
          <span className="count">{t(guestsAsk ? 'shared.guests' : 'shared.members')}</span>
        )
      }
    >
      {editing && (
        <>
          <Button
            look={`small ${styles.newPair}`}
            icon="plus"
            label={<span className="label">{t('pair.short')}</span>}
            aria-label={t('pair.new')}
            onClick={editing.onNewPair}
          />
          <FilePicker label={t('upload')} className="button small primary" onFiles={editing.onFiles} />
          <MenuButton className="icon-button" label={t('more')} items={editing.menu}>
            <Icon name="more" />
          </MenuButton>
        </>
      )}
    </ScreenHead>
  );
}
