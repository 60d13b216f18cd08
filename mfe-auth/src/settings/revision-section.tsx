import type { SettingsHistory, SettingsHistoryEntry } from 'api/contract/settings';
import { Button } from 'host/ui/button.tsx';
import { asFailure } from 'host/ui/failure.ts';
import { formatTime } from 'host/ui/format-date.ts';
import { Problem } from 'host/ui/problem.tsx';
import { useFormats } from 'host/ui/screen.tsx';
import { Section } from 'host/ui/section.tsx';
import { Skeleton } from 'host/ui/skeleton.tsx';
import { useCallback, useEffect, useId, useRef, useState } from 'react';
import { useDesk } from '../services.tsx';
import { settingsTexts } from '../texts.ts';
import { fieldLabel, fieldValue } from './setting-fields.ts';
import styles from './settings.module.css';

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
