import { Button } from 'host/ui/button.tsx';
import { Icon } from 'host/ui/icon.tsx';
import { MenuButton, type MenuItem } from 'host/ui/menu.tsx';
import { useTexts } from 'host/ui/screen.tsx';
import { historyTexts } from '../lib/texts.ts';
import styles from './history.module.css';

interface SelectionBarProps {
  /** '12', '10000+' */
  count: string;
  exports: MenuItem[];
  onClear(): void;
  onPrint(): void;
  onErase(): void;
}

/** Actions for the selected records. */
export function SelectionBar({ count, exports, onClear, onPrint, onErase }: SelectionBarProps) {
  const t = useTexts(historyTexts);
  const [before = '', after = ''] = t('selected', { count: '\n' }).split('\n');
  return (
    <div className={`no-print ${styles.selection}`} role="toolbar" aria-label={t('selected.bar')}>
      <p aria-live="polite">
        {before}
        <b className="num">{count}</b>
        {after}
      </p>
      <Button look="small bare push" label={t('cancel')} onClick={onClear} />
      <button className="button small" type="button" onClick={onPrint}>
        <Icon name="chart" className="icon-s" />
        <span className={styles.wide}>{t('toPdf')}</span>
        <span className={styles.narrow}>PDF</span>
      </button>
      <MenuButton className="button small" label={t('export')} items={exports} placement="top-end">
        <Icon name="download" className="icon-s" />
        {t('export')}
      </MenuButton>
      <Button look="small danger-quiet" icon="trash" label={t('erase')} onClick={onErase} />
    </div>
  );
}
