import type { DeskSettings, SettingsReply } from 'api/contract/settings';
import type { Language, Translate } from 'host/contract';
import { deskAddress } from 'host/ui/desk-address.ts';
import { Markdown } from 'host/ui/markdown/markdown.tsx';
import { useTexts } from 'host/ui/screen.tsx';
import { Section } from 'host/ui/section.tsx';
import { useCallback } from 'react';
import { type SettingsTexts, settingsTexts } from '../texts.ts';
import { languagesOf } from './setting-fields.ts';
import styles from './settings.module.css';

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
