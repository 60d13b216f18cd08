import type { Translate } from 'host/contract';
import { useEffect, useRef } from 'react';
import styles from './history.module.css';
import type { HistoryTexts } from './history-texts.ts';

interface SelectAllProps {
  count: number;
  total: number;
  /** Invisible, but keeps its space so that the list does not move. */
  isHidden: boolean;
  t: Translate<HistoryTexts>;
  onChange(isOn: boolean): void;
}

/** Selects all matching records, loaded or not; indeterminate if some are selected. */
export function SelectAll({ count, total, isHidden, t, onChange }: SelectAllProps) {
  const box = useRef<HTMLInputElement>(null);
  const isSome = count > 0 && count < total;
  useEffect(() => {
    if (box.current) box.current.indeterminate = isSome;
  }, [isSome]);
  return (
    <label className={styles.all} style={isHidden ? { visibility: 'hidden' } : undefined}>
      <input
        className="check"
        type="checkbox"
        ref={box}
        aria-label={t('pickAll.label')}
        checked={count > 0 && count >= total}
        onChange={({ target }) => onChange(target.checked)}
      />
      <span aria-hidden="true">{t('pickAll')}</span>
    </label>
  );
}
