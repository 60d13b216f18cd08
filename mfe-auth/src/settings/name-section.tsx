import type { DeskSettings, DeskTexts } from 'api/contract/settings';
import type { Language, Translate } from 'host/contract';
import { useTexts } from 'host/ui/screen.tsx';
import { Section } from 'host/ui/section.tsx';
import { Segments } from 'host/ui/segments.tsx';
import { TextField } from 'host/ui/text-field.tsx';
import { useId } from 'react';
import { type SettingsTexts, settingsTexts } from '../texts.ts';
import { LogoField } from './logo-field.tsx';
import { languageName, languagesOf } from './setting-fields.ts';
import styles from './settings.module.css';

interface NameSectionProps {
  draft: DeskSettings;
  /** The default texts in the edited language. */
  product: Translate<SettingsTexts>;
  /** The language whose texts are edited. */
  language: Language;
  onLanguage(language: Language): void;
  onEdit(change: (draft: DeskSettings) => DeskSettings): void;
}

const STARTERS = [0, 1, 2, 3] as const;

/** Logo, and the texts of one language. */
export function NameSection({ draft, product, language, onLanguage, onEdit }: NameSectionProps) {
  const t = useTexts(settingsTexts);
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
    <Section title={t('name')}>
      <p className="mb-s4 type-small ink-2">{t('name.about')}</p>
      <div className={styles.fields}>
        <LogoField logo={draft.logo} onChange={(logo) => onEdit((was) => ({ ...was, logo }))} />
        <LanguageField draft={draft} onEdit={onEdit} />
        <Segments
          label={t('languages')}
          choices={languages.map((value) => ({ value, label: languageName(value) }))}
          value={language}
          onChange={onLanguage}
        />
        <TextField
          label={t('field.name')}
          note={t('field.name.note')}
          lang={language}
          maxLength={60}
          autoComplete="off"
          placeholder={
            languages.map((one) => draft.texts[one].name).find(Boolean) ?? product('preview.product')
          }
          value={texts.name}
          onText={(name) => set({ name })}
        />
        <TextField
          label={t('field.greeting')}
          note={t('field.greeting.note')}
          lang={language}
          maxLength={120}
          autoComplete="off"
          placeholder={product('preview.hint')}
          value={texts.greeting}
          onText={(greeting) => set({ greeting })}
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
          onText={(contact) => set({ contact })}
        />
        <TextField
          label={t('field.hours')}
          note={t('field.hours.note')}
          lang={language}
          rows={2}
          maxLength={200}
          value={texts.hours}
          onText={(hours) => set({ hours })}
        />
        <TextField
          label={t('field.notFound')}
          note={t('field.notFound.note')}
          lang={language}
          rows={3}
          maxLength={600}
          value={texts.notFound}
          onText={(notFound) => set({ notFound })}
        />
      </div>
    </Section>
  );
}

interface LanguageFieldProps {
  draft: DeskSettings;
  onEdit(change: (draft: DeskSettings) => DeskSettings): void;
}

/** The language of visitors who have not chosen one. The first choice is the default. */
function LanguageField({ draft, onEdit }: LanguageFieldProps) {
  const t = useTexts(settingsTexts);
  const [standard, ...others] = languagesOf(draft);
  const choose = (value: string) =>
    onEdit((was) => ({ ...was, language: value === standard ? null : (value as DeskSettings['language']) }));
  return (
    <TextField
      label={t('field.language')}
      choices={[
        ...[standard!, ...others].map((language) => [language, languageName(language)] as const),
        ['browser', t('language.browser')],
      ]}
      value={draft.language ?? standard}
      note={t('field.language.note')}
      onText={choose}
    />
  );
}
