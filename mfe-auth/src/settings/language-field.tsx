import type { DeskSettings } from 'api/contract/settings';
import type { Translate } from 'host/contract';
import { useId } from 'react';
import { languageName, languagesOf } from './setting-fields.ts';
import type { SettingsTexts } from './settings-texts.ts';

interface LanguageFieldProps {
  draft: DeskSettings;
  t: Translate<SettingsTexts>;
  onEdit(change: (draft: DeskSettings) => DeskSettings): void;
}

/** The language of visitors who have not chosen one. The first is that of a desk without this setting. */
export function LanguageField({ draft, t, onEdit }: LanguageFieldProps) {
  const id = useId();
  const [standard, ...others] = languagesOf(draft);
  const choose = (value: string) =>
    onEdit((was) => ({ ...was, language: value === standard ? null : (value as DeskSettings['language']) }));
  return (
    <div className="field">
      <label htmlFor={id}>{t('field.language')}</label>
      <select
        className="input"
        id={id}
        aria-describedby={`${id}-note`}
        value={draft.language ?? standard}
        onChange={({ target }) => choose(target.value)}
      >
        {[standard!, ...others].map((language) => (
          <option key={language} value={language}>
            {languageName(language)}
          </option>
        ))}
        <option value="browser">{t('language.browser')}</option>
      </select>
      <p className="field-note" id={`${id}-note`}>
        {t('field.language.note')}
      </p>
    </div>
  );
}
