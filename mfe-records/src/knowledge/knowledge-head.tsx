import type { Translate } from 'host/contract';
import { Button } from 'host/ui/button.tsx';
import { Icon } from 'host/ui/icon.tsx';
import { MenuButton, type MenuItem } from 'host/ui/menu.tsx';
import type { ReactNode } from 'react';
import { FilePicker } from './lib/file-picker.tsx';
import styles from './lib/knowledge.module.css';
import type { KnowledgeTexts } from './lib/knowledge-texts.ts';

interface KnowledgeHeadProps {
  t: Translate<KnowledgeTexts>;
  controls: ReactNode;
  /** undefined while unknown, or if collections answer different people. */
  guestsAsk?: boolean;
  /** Actions of editors; undefined for readers. */
  editing?: { menu: MenuItem[]; onNewPair(): void; onFiles(files: File[]): void };
}

/** Header with title and, for editors, buttons to add knowledge. */
export function KnowledgeHead({ t, controls, guestsAsk, editing }: KnowledgeHeadProps) {
  return (
    <header className="head">
      <h1>{t('title')}</h1>
      {guestsAsk !== undefined && (
        <span className="count">{t(guestsAsk ? 'shared.guests' : 'shared.members')}</span>
      )}
      <span className="space" />
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
      <div className="cluster">{controls}</div>
    </header>
  );
}
