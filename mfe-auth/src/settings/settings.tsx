import type { DeskSettings, RetentionPreview, SettingsReply } from 'api/contract/settings';
import { Button } from 'host/ui/button.tsx';
import { ActionDialog } from 'host/ui/dialog.tsx';
import { formatTime } from 'host/ui/format-date.ts';
import { Problem } from 'host/ui/problem.tsx';
import { ScreenHead, useFormats, useTexts } from 'host/ui/screen.tsx';
import { Section } from 'host/ui/section.tsx';
import { Skeleton } from 'host/ui/skeleton.tsx';
import { Switch } from 'host/ui/switch.tsx';
import { TextField } from 'host/ui/text-field.tsx';
import { useHold } from 'host/ui/use-hold.ts';
import { useTranslateIn } from 'host/ui/use-translate.ts';
import { type RefObject, useId, useRef, useState } from 'react';
import { FormError } from '../form-error.tsx';
import { Forbidden } from '../list/list-screen.tsx';
import { screenOf, useDesk, useRead } from '../services.tsx';
import { settingsTexts } from '../texts.ts';
import { DeskPreview, NameSection } from './name-section.tsx';
import { ConflictNote, RevisionSection } from './revision-section.tsx';
import styles from './settings.module.css';
import { useSettingsForm } from './use-settings-form.ts';

export const texts = [settingsTexts];

/** /settings: what administrators set for the whole desk. Other visitors are told who can do this. */
export default screenOf(Settings, settingsTexts);

function Settings() {
  const t = useTexts(settingsTexts);
  const main = useRef<HTMLElement>(null);
  const { data, failure, again } = useRead<SettingsReply>('/api/settings');
  return (
    <main ref={main} className={`page ${styles.page}`} id="main" tabIndex={-1}>
      <ScreenHead title={t('title')} />
      {data && <SettingsEditor reply={data} main={main} />}
      {!data && (
        <div className="body">
          {!failure && (
            <Skeleton
              className={styles.skeleton}
              label={t('loading')}
              lines={['third', 'full', 'third', 'full', 'most']}
            />
          )}
          {failure?.status === 403 && <Forbidden t={t} />}
          {failure && failure.status !== 403 && (
            <Problem
              title={t('failed')}
              message={failure.message}
              requestId={failure.requestId}
              onRetry={again}
            />
          )}
        </div>
      )}
    </main>
  );
}

/** The form with its preview, the save bar and the history. */
function SettingsEditor({ reply, main }: { reply: SettingsReply; main: RefObject<HTMLElement | null> }) {
  const { t, i18n, toasts, updates } = useDesk(settingsTexts);
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
          <RevisionSection revision={saved.revision} isDirty={changed.length > 0} onRestore={restore} />
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
          onConfirm={store}
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
      {count > 0 && <Button label={t('discard')} isOff={isSaving} onClick={onDiscard} />}
      <Button look="primary" label={t(isSaving ? 'saving' : 'save')} isOff={isIdle} onClick={onSave} />
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
  /** A number of days; empty is null. */
  const field = (name: 'guestDays' | 'recordDays', noteValues: { days: number }, placeholder?: string) => (
    <TextField
      label={t(`field.${name}`)}
      type="number"
      inputMode="numeric"
      min={1}
      max={3650}
      step={1}
      placeholder={placeholder}
      value={draft[name] ?? ''}
      note={t(`field.${name}.note`, noteValues)}
      fault={isDays(draft[name]) ? undefined : t('days.invalid')}
      onText={(text) => onEdit((was) => ({ ...was, [name]: text === '' ? null : Number(text) }))}
    />
  );
  return (
    <Section title={t('retention')}>
      <div className={styles.fields}>
        {field('guestDays', { days: product.guestDays }, String(product.guestDays))}
        {field('recordDays', { days: product.undoDays })}
      </div>
    </Section>
  );
}

/** Whether the server accepts this number of days; null is no limit. */
function isDays(value: number | null): boolean {
  return value === null || (Number.isInteger(value) && value >= 1 && value <= 3650);
}

interface AnswersSectionProps {
  draft: DeskSettings;
  product: SettingsReply['product'];
  onEdit(change: (draft: DeskSettings) => DeskSettings): void;
}

/** Whether the handbook answers, and which models visitors can choose. */
function AnswersSection({ draft, product, onEdit }: AnswersSectionProps) {
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

interface RetentionDialogProps {
  days: number;
  undoDays: number;
  onConfirm(): void;
  onClose(): void;
}

/** Asks for confirmation before records are deleted earlier than so far, and says how many would be deleted now. */
function RetentionDialog({ days, undoDays, onConfirm, onClose }: RetentionDialogProps) {
  const t = useTexts(settingsTexts);
  const { data, failure } = useRead<RetentionPreview>('/api/settings/retention', { params: { days } });
  const count = data?.records;
  return (
    <ActionDialog
      title={t('confirm.title')}
      onClose={onClose}
      action={t('confirm.do')}
      isDanger
      isOff={count === undefined}
      onAct={() => count !== undefined && onConfirm()}
    >
      <p role="status">
        {count === undefined
          ? !failure && t('loading')
          : t(count > 0 ? 'confirm.count' : 'confirm.none', { count, days })}
      </p>
      <p>{t('confirm.undo', { days: undoDays })}</p>
      <FormError text={failure?.message ?? ''} />
    </ActionDialog>
  );
}
