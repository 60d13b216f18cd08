import type { DeskSettings, DeskTexts } from 'api/contract/settings';
import type { Language, Translate } from 'host/contract';
import { Segments } from 'host/ui/segments.tsx';
import { type ComponentProps, useId } from 'react';
import { Field } from '../field.tsx';
import { LogoField } from './logo-field.tsx';
import { languageName, languagesOf } from './setting-fields.ts';
import styles from './settings.module.css';
import type { SettingsCalls } from './settings-calls.ts';
import type { SettingsTexts } from './settings-texts.ts';

interface NameSectionProps {
  draft: DeskSettings;
  t: Translate<SettingsTexts>;
  /** The product's texts in the edited language. */
  product: Translate<SettingsTexts>;
  calls: SettingsCalls;
  /** The language whose texts are edited. */
  language: Language;
  onLanguage(language: Language): void;
  onEdit(change: (draft: DeskSettings) => DeskSettings): void;
}

const STARTERS = [0, 1, 2, 3] as const;

/** Logo, and the texts of one language. */
export function NameSection(props: NameSectionProps) {
  const { draft, t, product, calls, language, onLanguage, onEdit } = props;
  const id = useId();
  const texts = draft.texts[language];
  const set = (change: Partial<DeskTexts>) =>
    onEdit((was) => ({
      ...was,
      texts: { ...was.texts, [language]: { ...was.texts[language], ...change } },
    }));
  const setStarter = (at: number, text: string) =>
    set({ starters: STARTERS.map((index) => (index === at ? text : (texts.starters[index] ?? ''))) });
  const languages = languagesOf(draft);

  return (
    <section className="section" aria-labelledby={`${id}-title`}>
      <div className="section-head">
        <h2 id={`${id}-title`}>{t('name')}</h2>
      </div>
      <p className="mb-s4 type-small ink-2">{t('name.about')}</p>
      <div className={styles.fields}>
        <LogoField
          logo={draft.logo}
          t={t}
          calls={calls}
          onChange={(logo) => onEdit((was) => ({ ...was, logo }))}
        />
        <LanguageField draft={draft} t={t} onEdit={onEdit} />
        <Segments
          label={t('languages')}
          choices={languages.map((value) => ({ value, label: languageName(value) }))}
          value={language}
          onChange={onLanguage}
        />
        <Field
          label={t('field.name')}
          note={t('field.name.note')}
          lang={language}
          maxLength={60}
          autoComplete="off"
          placeholder={
            languages.map((one) => draft.texts[one].name).find(Boolean) ?? product('preview.product')
          }
          value={texts.name}
          onChange={({ target }) => set({ name: target.value })}
        />
        <Field
          label={t('field.greeting')}
          note={t('field.greeting.note')}
          lang={language}
          maxLength={120}
          autoComplete="off"
          placeholder={product('preview.hint')}
          value={texts.greeting}
          onChange={({ target }) => set({ greeting: target.value })}
        />
        <fieldset className="stack" aria-describedby={`${id}-starters`}>
          <legend>{t('field.starters')}</legend>
          {STARTERS.map((at) => (
            <input
              key={at}
              className="input"
              lang={language}
              aria-label={t('field.starter', { n: at + 1 })}
              maxLength={120}
              autoComplete="off"
              value={texts.starters[at] ?? ''}
              onChange={({ target }) => setStarter(at, target.value)}
            />
          ))}
          <p className="field-note" id={`${id}-starters`}>
            {t('field.starters.note')}
          </p>
        </fieldset>
        <TextField
          label={t('field.contact')}
          note={t('field.contact.note')}
          lang={language}
          rows={2}
          maxLength={300}
          value={texts.contact}
          onType={(contact) => set({ contact })}
        />
        <TextField
          label={t('field.hours')}
          note={t('field.hours.note')}
          lang={language}
          rows={2}
          maxLength={200}
          value={texts.hours}
          onType={(hours) => set({ hours })}
        />
        <TextField
          label={t('field.notFound')}
          note={t('field.notFound.note')}
          lang={language}
          rows={3}
          maxLength={600}
          value={texts.notFound}
          onType={(notFound) => set({ notFound })}
        />
      </div>
    </section>
  );
}

interface TextFieldProps extends Omit<ComponentProps<'textarea'>, 'onChange' | 'value'> {
  label: string;
  note: string;
  value: string;
  onType(text: string): void;
}

/** A text of several lines, with a label above and a note below. */
function TextField({ label, note, value, onType, ...textarea }: TextFieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea
        className="input"
        id={id}
        aria-describedby={`${id}-note`}
        value={value}
        onChange={({ target }) => onType(target.value)}
        {...textarea}
      />
      <p className="field-note" id={`${id}-note`}>
        {note}
      </p>
    </div>
  );
}

interface LanguageFieldProps {
  draft: DeskSettings;
  t: Translate<SettingsTexts>;
  onEdit(change: (draft: DeskSettings) => DeskSettings): void;
}

/** The language of visitors who have not chosen one. The first is that of a desk without this setting. */
function LanguageField({ draft, t, onEdit }: LanguageFieldProps) {
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
