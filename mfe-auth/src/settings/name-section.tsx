import type { DeskSettings, DeskTexts, LogoReply, SettingsReply } from 'api/contract/settings';
import type { Language, Translate } from 'host/contract';
import { Button, FileButton } from 'host/ui/button.tsx';
import { deskAddress } from 'host/ui/desk-address.ts';
import { Markdown } from 'host/ui/markdown/markdown.tsx';
import { useTexts } from 'host/ui/screen.tsx';
import { Section } from 'host/ui/section.tsx';
import { Segments } from 'host/ui/segments.tsx';
import { TextField } from 'host/ui/text-field.tsx';
import { useAction } from 'host/ui/use-action.ts';
import { type ComponentProps, useCallback, useId, useRef, useState } from 'react';
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

interface DeskPreviewProps {
  draft: DeskSettings;
  product: SettingsReply['product'];
  /** The default texts in the edited language. */
  own: Translate<SettingsTexts>;
  language: Language;
}

/** What visitors will see, in the language that is edited. */
export function DeskPreview({ draft, product, own, language }: DeskPreviewProps) {
  const t = useTexts(settingsTexts);
  const pictureLabel = useCallback((text: string) => own('pictureLink', { text }), [own]);
  const { name, greeting, starters, contact, hours, notFound } = draft.texts[language];
  const otherName = languagesOf(draft)
    .map((one) => draft.texts[one].name.trim())
    .find(Boolean);
  const questions = starters.map((one) => one.trim()).filter(Boolean);
  const nothing = [
    notFound.trim() || product.notFound[language],
    contact.trim() && own('preview.contact') + contact.trim(),
    hours.trim() && own('preview.hours') + hours.trim(),
  ];
  return (
    <Section title={t('preview')} className={styles.preview}>
      <h3 className="type-small strong ink-2">{t('preview.welcome')}</h3>
      <div className={styles.sheet} lang={language}>
        <p className="line">
          {draft.logo !== null && (
            <img
              className={styles.logo}
              src={deskAddress(`/api/desk/logo?v=${draft.logo}`)}
              alt=""
              width="24"
              height="24"
            />
          )}
          <b>{name.trim() || otherName || own('preview.product')}</b>
        </p>
        <p className={styles.greeting}>{greeting.trim() || own('preview.hint')}</p>
        <p className="type-meta quiet">{own('preview.suggestions')}</p>
        <ul className={styles.questions}>
          {questions.map((question, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two may be the same while they are typed
            <li key={index}>{question}</li>
          ))}
          {questions.length === 0 && <li className="quiet">{own('preview.auto')}</li>}
        </ul>
        {(contact.trim() || hours.trim()) && (
          <p className={styles.contact}>{[contact.trim(), hours.trim()].filter(Boolean).join('\n')}</p>
        )}
      </div>
      <h3 className="type-small strong ink-2">{t('preview.notFound')}</h3>
      <div className={styles.sheet} lang={language}>
        <p className={styles.asked}>{own('preview.question')}</p>
        <Markdown
          text={nothing.filter(Boolean).join('\n\n')}
          firstLevel={4}
          pictureLabel={pictureLabel}
          tableLabel={own('table')}
        />
      </div>
    </Section>
  );
}
