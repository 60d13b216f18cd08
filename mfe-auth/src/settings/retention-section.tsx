import type { DeskSettings, SettingsReply } from 'api/contract/settings';
import type { Translate } from 'host/contract';
import { useId } from 'react';
import { DaysField } from './days-field.tsx';
import styles from './settings.module.css';
import type { SettingsTexts } from './settings-texts.ts';

interface RetentionSectionProps {
  draft: DeskSettings;
  product: SettingsReply['product'];
  t: Translate<SettingsTexts>;
  onEdit(change: (draft: DeskSettings) => DeskSettings): void;
}

/** How long data is kept, with what happens to it afterwards. */
export function RetentionSection({ draft, product, t, onEdit }: RetentionSectionProps) {
  const id = useId();
  return (
    <section className="section" aria-labelledby={id}>
      <div className="section-head">
        <h2 id={id}>{t('retention')}</h2>
      </div>
      <div className={styles.fields}>
        <DaysField
          label={t('field.guestDays')}
          note={t('field.guestDays.note', { days: product.guestDays })}
          placeholder={String(product.guestDays)}
          value={draft.guestDays}
          t={t}
          onChange={(guestDays) => onEdit((was) => ({ ...was, guestDays }))}
        />
        <DaysField
          label={t('field.recordDays')}
          note={t('field.recordDays.note', { days: product.undoDays })}
          value={draft.recordDays}
          t={t}
          onChange={(recordDays) => onEdit((was) => ({ ...was, recordDays }))}
        />
      </div>
    </section>
  );
}
