import type { DeskSettings } from 'api/contract/settings';
import { Button } from 'host/ui/button.tsx';
import { formatTime } from 'host/ui/format-date.ts';
import { Icon } from 'host/ui/icon.tsx';
import { useFormats, useTexts } from 'host/ui/screen.tsx';
import { useEffect, useId, useRef } from 'react';
import { settingsTexts } from '../texts.ts';
import { changedFields, fieldLabel, fieldValue, readField, takeField } from './setting-fields.ts';
import styles from './settings.module.css';
import type { SettingsConflict } from './use-settings-form.ts';

interface ConflictNoteProps {
  conflict: SettingsConflict;
  draft: DeskSettings;
  onEdit(change: (draft: DeskSettings) => DeskSettings): void;
  onClose(): void;
}

/** Shows what somebody else has saved meanwhile. Fields that both changed keep the typed value until the other one is chosen. */
export function ConflictNote({ conflict, draft, onEdit, onClose }: ConflictNoteProps) {
  const t = useTexts(settingsTexts);
  const { locale } = useFormats();
  const id = useId();
  const title = useRef<HTMLHeadingElement>(null);
  const { before, theirs, fields } = conflict;
  // biome-ignore lint/correctness/useExhaustiveDependencies: also for the next conflict
  useEffect(() => {
    title.current?.focus();
    title.current?.scrollIntoView?.({ block: 'center' });
  }, [conflict]);
  const disputed = changedFields(draft, theirs.settings);
  return (
    <section className={`section ${styles.conflict}`} aria-labelledby={id}>
      <h2 className="line type-head" id={id} ref={title} tabIndex={-1}>
        <Icon name="alert" />
        {t('conflict', {
          name: theirs.changedBy ?? t('conflict.somebody'),
          time: theirs.changedAt ? formatTime(theirs.changedAt, locale) : '',
        })}
      </h2>
      <p>{t('conflict.about')}</p>
      <ul className="rows">
        {fields.map((field) => {
          const label = fieldLabel(field, t);
          const isDisputed = disputed.includes(field);
          return (
            <li key={field}>
              <div>
                {t('history.change', {
                  field: label,
                  before: fieldValue(field, readField(before, field), t),
                  after: fieldValue(field, readField(theirs.settings, field), t),
                })}
                {isDisputed && (
                  <small>
                    {t('conflict.mine')} {fieldValue(field, readField(draft, field), t)}
                  </small>
                )}
              </div>
              {isDisputed ? (
                <Button
                  look="small"
                  label={t('conflict.take')}
                  aria-label={t('conflict.take.of', { field: label })}
                  onClick={() => {
                    onEdit((was) => takeField(was, field, theirs.settings));
                    title.current?.focus();
                  }}
                />
              ) : (
                <span className="tag success">{t('conflict.taken')}</span>
              )}
            </li>
          );
        })}
      </ul>
      <Button
        look="small"
        label={t('conflict.close')}
        onClick={() => {
          onClose();
          document.getElementById('main')?.focus();
        }}
      />
    </section>
  );
}
