import type { DeskSettings, DeskTexts, LogoReply } from 'api/contract/settings';
import type { Language, Translate } from 'host/contract';
import { Button, FileButton } from 'host/ui/button.tsx';
import { deskAddress } from 'host/ui/desk-address.ts';
import { useTexts } from 'host/ui/screen.tsx';
import { Section } from 'host/ui/section.tsx';
import { Segments } from 'host/ui/segments.tsx';
import { TextField } from 'host/ui/text-field.tsx';
import { useAction } from 'host/ui/use-action.ts';
import { type ComponentProps, useId, useRef, useState } from 'react';
import { FormError } from '../form-error.tsx';
import { useDesk } from '../services.tsx';
import { type SettingsTexts, settingsTexts } from '../texts.ts';
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
  const field = (
    name: Exclude<keyof DeskTexts, 'starters'>,
    attributes: Omit<ComponentProps<typeof TextField>, 'label'>,
  ) => (
    <TextField
      label={t(`field.${name}`)}
      note={t(`field.${name}.note`)}
      lang={language}
      value={texts[name]}
      onText={(text) => set({ [name]: text })}
      {...attributes}
    />
  );

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
        {field('name', {
          maxLength: 60,
          autoComplete: 'off',
          placeholder:
            languages.map((one) => draft.texts[one].name).find(Boolean) ?? product('preview.product'),
        })}
        {field('greeting', { maxLength: 120, autoComplete: 'off', placeholder: product('preview.hint') })}
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
        {field('contact', { rows: 2, maxLength: 300 })}
        {field('hours', { rows: 2, maxLength: 200 })}
        {field('notFound', { rows: 3, maxLength: 600 })}
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

interface LogoFieldProps {
  /** Version of the logo; null: the default logo. */
  logo: string | null;
  onChange(logo: string | null): void;
}

const MAX_BYTES = 256 * 1024;

/** Chooses a picture and uploads it at once; it becomes the logo when the settings are saved. */
function LogoField({ logo, onChange }: LogoFieldProps) {
  const { t, http } = useDesk(settingsTexts);
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [isTooLarge, setTooLarge] = useState(false);
  const { isBusy: isSending, failure, run, clear } = useAction();
  const error = isTooLarge ? t('logo.tooLarge') : (failure?.message ?? '');

  const send = (file: File | undefined) => {
    if (!file) return;
    setTooLarge(file.size > MAX_BYTES);
    if (file.size > MAX_BYTES) return clear();
    void run(async (signal) => {
      const headers = { 'Content-Type': file.type || 'application/octet-stream' };
      const { data } = await http.put<LogoReply>('/api/settings/logo', file, { headers });
      if (!signal.aborted) onChange(data.logo);
    });
  };

  return (
    <fieldset className="stack">
      <legend>{t('field.logo')}</legend>
      <div className="line gap-s3 wrap">
        {logo !== null && (
          <img
            className={styles.logo}
            src={deskAddress(`/api/desk/logo?v=${logo}`)}
            alt={t('logo.alt')}
            width="40"
            height="40"
          />
        )}
        <FileButton
          ref={input}
          icon="image"
          label={t(isSending ? 'logo.sending' : 'logo.choose')}
          accept="image/png,image/jpeg,image/webp"
          disabled={isSending}
          aria-describedby={`${id}-note`}
          onFile={send}
        />
        {logo !== null && (
          <Button
            look="bare"
            label={t('logo.remove')}
            onClick={() => {
              onChange(null);
              input.current?.focus();
            }}
          />
        )}
      </div>
      <p className="field-note" id={`${id}-note`}>
        {t('field.logo.note')}
      </p>
      <FormError text={error} />
    </fieldset>
  );
}
