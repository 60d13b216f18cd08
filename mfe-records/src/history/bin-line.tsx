import type { BinEntry } from 'api/contract/deletions';
import type { Translate } from 'host/contract';
import { Button } from 'host/ui/button.tsx';
import { grouped } from 'host/ui/grouped.ts';
import { focusNeighbour } from 'host/ui/move-focus.ts';
import { useFormats, useTexts } from 'host/ui/screen.tsx';
import { useAction } from 'host/ui/use-action.ts';
import { useEffect, useRef, useState } from 'react';
import { useServices } from '../lib/services.ts';
import { type FilterTexts, filterTexts, type HistoryTexts, historyTexts } from '../lib/texts.ts';
import { ConfirmField, isConfirmed } from './confirm-field.tsx';
import styles from './dialogs.module.css';
import { fullContactLabel } from './filters/contact-label.ts';
import { createDayFormat, dayIn } from './filters/days.ts';

interface BinLineProps {
  entry: BinEntry;
  onUndo(): Promise<void>;
  onPurge(): Promise<void>;
  /** Called after a failure was shown. */
  onFailed(): void;
}

/** One deletion, merge or rename: what was deleted, when, and how long it can be undone. Deleting for good requires typing the count. */
export function BinLine({ entry, onUndo, onPurge, onFailed }: BinLineProps) {
  const t = useTexts(historyTexts);
  const filters = useTexts(filterTexts);
  const { dates, locale } = useFormats();
  const { toasts } = useServices();
  const [isPurging, setIsPurging] = useState(false);
  const { isBusy, run } = useAction({ toasts, onFailure: onFailed });
  const [typed, setTyped] = useState('');
  const [isRefused, setIsRefused] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const line = useRef<HTMLLIElement>(null);
  const what = nameOf(entry, locale, filters, t);
  const confirmation = { by: 'count', count: entry.matched } as const;
  const time = (iso: string) => dates.moment(new Date(iso));
  useEffect(() => {
    if (isPurging) field.current?.focus();
  }, [isPurging]);

  const act = (action: () => Promise<void>) => {
    if (!isBusy) focusNeighbour(line.current);
    void run(action);
  };
  const purge = () => {
    if (isConfirmed(confirmation, typed)) act(onPurge);
    else {
      setIsRefused(true);
      field.current?.focus();
    }
  };
  const keep = () => {
    setIsPurging(false);
    setTyped('');
    setIsRefused(false);
    line.current?.querySelector<HTMLElement>('button')?.focus();
  };
  return (
    <li ref={line} aria-busy={isBusy || undefined}>
      <div className={styles.binLine}>
        <p>
          <b>{what}</b> <span className="num">{t('bin.count', { count: entry.matched })}</span>
          <small>
            <time dateTime={entry.createdAt}>{t(whenOf(entry.kind), { time: time(entry.createdAt) })}</time>
            <time dateTime={entry.undoUntil}>
              {t(entry.into ? 'bin.undoUntil' : 'bin.until', { time: time(entry.undoUntil) })}
            </time>
          </small>
        </p>
        <Button
          look="small"
          icon="undo"
          label={t('undo')}
          aria-label={t('bin.undo.of', { what })}
          aria-disabled={isBusy || undefined}
          onClick={() => act(onUndo)}
        />
        {!isPurging && !entry.into && (
          <Button
            look="small danger-quiet"
            label={t('bin.purge')}
            aria-label={t('bin.purge.of', { what })}
            onClick={() => setIsPurging(true)}
          />
        )}
      </div>
      {isPurging && (
        // biome-ignore lint/a11y/noStaticElementInteractions: handles Escape from any element inside
        <div
          className="well stack mt-s3 type-small"
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || event.nativeEvent.isComposing) return;
            // Otherwise the browser would also close the dialog.
            event.preventDefault();
            keep();
          }}
        >
          <p>{t('bin.purge.about')}</p>
          <ConfirmField
            inputRef={field}
            confirmation={confirmation}
            isRefused={isRefused}
            value={typed}
            onChange={setTyped}
            onEnter={purge}
          />
          <div className="line to-end">
            <Button look="small" label={t('cancel')} onClick={keep} />
            <Button
              look="small danger"
              label={t('bin.purge.do', { count: grouped(entry.matched) })}
              aria-disabled={isBusy || !isConfirmed(confirmation, typed)}
              onClick={purge}
            />
          </div>
        </div>
      )}
    </li>
  );
}

function nameOf(
  { kind, title, contact, into, from, to, tz }: BinEntry,
  locale: string,
  filters: Translate<FilterTexts>,
  t: Translate<HistoryTexts>,
): string {
  const person = contact ? fullContactLabel(contact) : '';
  if (kind === 'merge' && into) return t('bin.merge', { contact: person, into: fullContactLabel(into) });
  if (kind === 'rename' && into) return t('bin.rename', { contact: person, into: fullContactLabel(into) });
  if (kind === 'contact') return t('bin.contact', { contact: person || t('myself') });
  if (kind === 'conversation')
    return title ? t('bin.conversation', { title }) : t('bin.conversation.untitled');
  if (kind === 'selection') return t('selected.bar');
  const days = createDayFormat(locale, dayIn(tz || undefined), filters).range(from, to || from);
  return person ? `${days} · ${person}` : days;
}

function whenOf(kind: BinEntry['kind']) {
  return kind === 'merge' || kind === 'rename' ? (`bin.when.${kind}` as const) : 'bin.when';
}
