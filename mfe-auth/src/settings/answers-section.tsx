import type { DeskSettings, SettingsReply } from 'api/contract/settings';
import { useTexts } from 'host/ui/screen.tsx';
import { Section } from 'host/ui/section.tsx';
import { Switch } from 'host/ui/switch.tsx';
import { useId } from 'react';
import { settingsTexts } from '../texts.ts';
import styles from './settings.module.css';

interface AnswersSectionProps {
  draft: DeskSettings;
  product: SettingsReply['product'];
  onEdit(change: (draft: DeskSettings) => DeskSettings): void;
}

/** Whether the handbook answers, and which models visitors can choose. */
export function AnswersSection({ draft, product, onEdit }: AnswersSectionProps) {
  const t = useTexts(settingsTexts);
  const id = useId();
  const { models } = draft;
  const setModels = (next: string[] | null) => onEdit((was) => ({ ...was, models: next }));
  return (
    <Section title={t('answers')}>
      <div className={styles.fields}>
        <Switch
          label={t('field.handbook')}
          note={t(product.handbook ? 'field.handbook.note' : 'handbook.off')}
          isOn={draft.handbook && product.handbook}
          isDisabled={!product.handbook}
          onChange={(handbook) => onEdit((was) => ({ ...was, handbook }))}
        />
        <fieldset className="stack" aria-describedby={`${id}-models`}>
          <legend>{t('field.models')}</legend>
          {product.models.length > 0 && (
            <label className="choice">
              <input
                className="check"
                type="checkbox"
                checked={models === null}
                onChange={({ target }) => setModels(target.checked ? null : [...product.models])}
              />
              {t('models.all')}
            </label>
          )}
          {models !== null &&
            product.models.map((name) => (
              <label key={name} className={`choice ${styles.model}`}>
                <input
                  className="check"
                  type="checkbox"
                  checked={models.includes(name)}
                  onChange={({ target }) =>
                    setModels(target.checked ? [...models, name] : models.filter((chosen) => chosen !== name))
                  }
                />
                {name}
              </label>
            ))}
          <p className="field-note" id={`${id}-models`}>
            {product.models.length === 0 && t('models.none')}
            {product.models.length > 0 && models?.length === 0 && t('models.nothing')}
          </p>
        </fieldset>
      </div>
    </Section>
  );
}
