import type { DeskSettings, SettingsHistory, SettingsHistoryEntry } from 'api/contract/settings';
import { Button } from 'host/ui/button.tsx';
import { asFailure } from 'host/ui/failure.ts';
import { formatTime } from 'host/ui/format-date.ts';
import { Icon } from 'host/ui/icon.tsx';
import { Problem } from 'host/ui/problem.tsx';
import { useFormats, useTexts } from 'host/ui/screen.tsx';
import { Section } from 'host/ui/section.tsx';
import { Skeleton } from 'host/ui/skeleton.tsx';
import { useCallback, useEffect, useId, useRef, useState } from 'react';
import { useDesk } from '../services.tsx';
import { settingsTexts } from '../texts.ts';
import { changedFields, fieldLabel, fieldValue, readField, takeField } from './setting-fields.ts';
import styles from './settings.module.css';
import type { SettingsConflict } from './use-settings-form.ts';

interface RevisionSectionProps {
  /** The current revision: the list is read again when it changes. */
  revision: number;
  /** Whether there are unsaved changes, which restoring would replace. */
  isDirty: boolean;
  onRestore(to: number): Promise<boolean>;
}

interface Pages {
  entries: SettingsHistoryEntry[];
  nextCursor: string | null;
}

/** Who changed what, newest first, with buttons to restore. */
export function RevisionSection({ revision, isDirty, onRestore }: RevisionSectionProps) {
  const { t, http } = useDesk(settingsTexts);
  const { locale } = useFormats();
  const id = useId();
  const title = useRef<HTMLHeadingElement>(null);
  const [pages, setPages] = useState<Pages | null>(null);
  const [failure, setFailure] = useState('');
  /** Aborted when the list is read again. */
  const reading = useRef(new AbortController());

  const read = useCallback(
    async (before: Pages | null, signal: AbortSignal) => {
      setFailure('');
      try {
        const params = { limit: 10, ...(before?.nextCursor && { cursor: before.nextCursor }) };
        const { data } = await http.get<SettingsHistory>('/api/settings/history', { params, signal });
        const { revisions, nextCursor } = data;
        if (!signal.aborted) setPages({ entries: [...(before?.entries ?? []), ...revisions], nextCursor });
      } catch (error) {
        if (!signal.aborted) setFailure(asFailure(error).message);
      }
    },
    [http],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again after each save
  useEffect(() => {
    const over = new AbortController();
    reading.current = over;
    void read(null, over.signal);
    return () => over.abort();
  }, [read, revision]);

  const restore = async (to: number) => {
    if (await onRestore(to)) title.current?.focus();
  };
  const more = () => void read(pages, reading.current.signal);

  return (
    <Section title={t('history')} titleRef={title}>
      {!pages && !failure && <Skeleton label={t('history.loading')} lines={['half', 'most', 'half']} />}
      {failure && <Problem level={3} title={t('history.failed')} message={failure} onRetry={more} />}
      {pages?.entries.length === 0 && <p className="mb-s4 type-small ink-2">{t('history.none')}</p>}
      {isDirty && pages && pages.entries.length > 0 && (
        <p className="field-note" id={`${id}-dirty`}>
          {t('history.dirty')}
        </p>
      )}
      <ol className={`rows roomy type-small ${styles.history}`}>
        {pages?.entries.map((entry) => {
          const time = formatTime(entry.changedAt, locale);
          const isCurrent = entry.revision === revision;
          return (
            <li key={entry.revision}>
              <div>
                <b>
                  {t('history.by', { name: entry.changedBy ?? t('history.deleted'), time })}
                  {isCurrent && <span className="tag accent">{t('history.current')}</span>}
                </b>
                {entry.changes.map(({ field, before, after }) => (
                  <p key={field}>
                    {t('history.change', {
                      field: fieldLabel(field, t),
                      before: fieldValue(field, before, t),
                      after: fieldValue(field, after, t),
                    })}
                  </p>
                ))}
              </div>
              {!isCurrent && (
                <Button
                  look="small"
                  label={t('history.restore')}
                  aria-label={t('history.restore.of', { time })}
                  isOff={isDirty}
                  aria-describedby={isDirty ? `${id}-dirty` : undefined}
                  onClick={() => void restore(entry.revision)}
                />
              )}
            </li>
          );
        })}
      </ol>
      <div className="line wrap mt-s3">
        {pages?.nextCursor && <Button label={t('history.more')} onClick={more} />}
        {pages && pages.entries.length > 0 && (
          <Button label={t('history.defaults')} isOff={isDirty} onClick={() => void restore(0)} />
        )}
      </div>
    </Section>
  );
}

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
