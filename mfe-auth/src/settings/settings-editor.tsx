import type { DeskSettings, SettingsReply } from 'api/contract/settings';
import { Button } from 'host/ui/button.tsx';
import { formatTime } from 'host/ui/format-date.ts';
import { useFormats, useTexts } from 'host/ui/screen.tsx';
import { Section } from 'host/ui/section.tsx';
import { TextField } from 'host/ui/text-field.tsx';
import { useHold } from 'host/ui/use-hold.ts';
import { useTranslateIn } from 'host/ui/use-translate.ts';
import { type RefObject, useState } from 'react';
import { FormError } from '../form-error.tsx';
import { useServices } from '../services.ts';
import { settingsTexts } from '../texts.ts';
import { AnswersSection } from './answers-section.tsx';
import { ConflictNote } from './conflict-note.tsx';
import { DeskPreview } from './desk-preview.tsx';
import { HistorySection } from './history-section.tsx';
import { NameSection } from './name-section.tsx';
import { RetentionDialog } from './retention-dialog.tsx';
import styles from './settings.module.css';
import { useSettingsForm } from './use-settings-form.ts';

interface DaysFieldProps {
  label: string;
  note: string;
  placeholder?: string;
  value: number | null;
  onChange(days: number | null): void;
}

interface SettingsEditorProps {
  reply: SettingsReply;
  main: RefObject<HTMLElement | null>;
}

/** The form with its preview, the save bar and the history. */
export function SettingsEditor({ reply, main }: SettingsEditorProps) {
  const t = useTexts(settingsTexts);
  const { i18n, toasts, updates } = useServices();
  const { locale } = useFormats();
  const [language, setLanguage] = useState(i18n.language$.value);
  const form = useSettingsForm(reply, () => toasts.show({ kind: 'info', text: t('draft') }));
  const inLanguage = useTranslateIn(i18n, settingsTexts, language);
  const [isAsking, setAsking] = useState(false);
  useHold(updates, form.changed.length > 0);
  const { saved, draft, changed } = form;
  const { product, changedAt, changedBy } = saved;

  const store = async () => {
    setAsking(false);
    if (await form.save()) toasts.show({ kind: 'success', text: t('saved') });
  };
  const save = () => {
    if (![draft.guestDays, draft.recordDays].every(isDays))
      return main.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
    // Records are deleted earlier than before: that needs a confirmation.
    const { recordDays: before } = saved.settings;
    const isShorter = draft.recordDays !== null && (before === null || draft.recordDays < before);
    if (isShorter) setAsking(true);
    else void store();
  };
  const restore = async (to: number) => {
    const isRestored = await form.restore(to);
    if (isRestored) toasts.show({ kind: 'success', text: t('history.restored') });
    return isRestored;
  };

  const time = changedAt && formatTime(changedAt, locale);
  const revision = time
    ? t(changedBy ? 'revision' : 'revision.nobody', { time, name: changedBy ?? '' })
    : t('revision.none');
  return (
    <>
      <div className={`body ${styles.body}`}>
        <div className={styles.form}>
          {form.conflict && (
            <ConflictNote
              conflict={form.conflict}
              draft={draft}
              onEdit={form.edit}
              onClose={form.closeConflict}
            />
          )}
          <NameSection
            draft={draft}
            product={inLanguage}
            language={language}
            onLanguage={setLanguage}
            onEdit={form.edit}
          />
          <AnswersSection draft={draft} product={product} onEdit={form.edit} />
          <RetentionSection draft={draft} product={product} onEdit={form.edit} />
          <HistorySection revision={saved.revision} isDirty={changed.length > 0} onRestore={restore} />
        </div>
        <DeskPreview draft={draft} product={product} own={inLanguage} language={language} />
      </div>
      <SaveBar
        revision={revision}
        count={changed.length}
        isSaving={form.isSaving}
        error={form.error}
        onSave={save}
        onDiscard={() => {
          form.discard();
          // The pressed button disappears.
          main.current?.focus();
        }}
      />
      {isAsking && draft.recordDays !== null && (
        <RetentionDialog
          days={draft.recordDays}
          undoDays={product.undoDays}
          onConfirm={() => void store()}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

interface SaveBarProps {
  /** Who saved last, and when. */
  revision: string;
  /** Number of fields that are not saved. */
  count: number;
  isSaving: boolean;
  error: string;
  onSave(): void;
  onDiscard(): void;
}

/** Below the form: whether everything is saved, and the buttons. */
function SaveBar({ revision, count, isSaving, error, onSave, onDiscard }: SaveBarProps) {
  const t = useTexts(settingsTexts);
  const isIdle = count === 0 || isSaving;
  return (
    <div className={styles.bar}>
      <p className="grow type-small ink-2" role="status">
        {count === 0 ? revision : t('bar.changed', { count })}
      </p>
      <FormError text={error} />
      {count > 0 && <Button label={t('discard')} aria-disabled={isSaving || undefined} onClick={onDiscard} />}
      <Button
        look="primary"
        label={t(isSaving ? 'saving' : 'save')}
        aria-disabled={isIdle || undefined}
        onClick={() => !isIdle && onSave()}
      />
    </div>
  );
}

interface RetentionSectionProps {
  draft: DeskSettings;
  product: SettingsReply['product'];
  onEdit(change: (draft: DeskSettings) => DeskSettings): void;
}

/** How long data is stored, and what happens to it afterwards. */
function RetentionSection({ draft, product, onEdit }: RetentionSectionProps) {
  const t = useTexts(settingsTexts);
  return (
    <Section title={t('retention')}>
      <div className={styles.fields}>
        <DaysField
          label={t('field.guestDays')}
          note={t('field.guestDays.note', { days: product.guestDays })}
          placeholder={String(product.guestDays)}
          value={draft.guestDays}
          onChange={(guestDays) => onEdit((was) => ({ ...was, guestDays }))}
        />
        <DaysField
          label={t('field.recordDays')}
          note={t('field.recordDays.note', { days: product.undoDays })}
          value={draft.recordDays}
          onChange={(recordDays) => onEdit((was) => ({ ...was, recordDays }))}
        />
      </div>
    </Section>
  );
}

/** Whether the server accepts this number of days; null is no limit. */
function isDays(value: number | null): boolean {
  return value === null || (Number.isInteger(value) && value >= 1 && value <= 3650);
}

/** A number of days; empty is null. */
function DaysField({ label, note, placeholder, value, onChange }: DaysFieldProps) {
  const t = useTexts(settingsTexts);
  return (
    <TextField
      label={label}
      type="number"
      inputMode="numeric"
      min={1}
      max={3650}
      step={1}
      placeholder={placeholder}
      value={value ?? ''}
      note={note}
      fault={isDays(value) ? undefined : t('days.invalid')}
      onText={(text) => onChange(text === '' ? null : Number(text))}
    />
  );
}
