import { Button } from 'host/ui/button.tsx';
import { PartBoundary } from 'host/ui/error-boundary.tsx';
import { Fault } from 'host/ui/fault.tsx';
import { createLatePart, Late } from 'host/ui/late-part.tsx';
import { useFormats, useTexts } from 'host/ui/screen.tsx';
import { type ComponentProps, type FormEvent, useId, useMemo, useState } from 'react';
import { filterTexts } from '../../lib/texts.ts';
import { createDayFormat, type Day, type DayRange, dayFrom, dayIn, PRESETS, presetRange } from './days.ts';
import { timeZone } from './filter.ts';
import styles from './filter-bar.module.css';
import { FilterChip } from './filter-chip.tsx';

interface DateChipProps extends DayRange {
  onChange(range: DayRange): void;
}

export function DateChip({ from, to, onChange }: DateChipProps) {
  const t = useTexts(filterTexts);
  const { locale } = useFormats();
  const today = dayIn(timeZone());
  const format = useMemo(() => createDayFormat(locale, today, t), [locale, today, t]);
  const isSet = from !== '' || to !== '';
  return (
    <FilterChip
      icon="calendar"
      label={isSet ? format.range(from, to) : t('date')}
      isSet={isSet}
      title={t('date.choose')}
      off={t('date.off')}
      opens="dialog"
      onOff={() => onChange({ from: '', to: '' })}
    >
      {(close) => (
        <DatePicker
          range={{ from, to }}
          today={today}
          onChoose={(range) => {
            close();
            onChange(range);
          }}
        />
      )}
    </FilterChip>
  );
}

interface DatePickerProps {
  range: DayRange;
  today: Day;
  onChoose(range: DayRange): void;
}

/**
 * Presets, two input fields and a calendar. A preset and the second day in the calendar apply immediately; a single day and typed dates by
 * button or Enter.
 */
function DatePicker({ range, today, onChoose }: DatePickerProps) {
  const t = useTexts(filterTexts);
  const [typed, setTyped] = useState(range);
  /** The first of two days chosen in the calendar. */
  const [anchor, setAnchor] = useState<Day>('');
  const [wrong, setWrong] = useState<'' | 'date.wrong' | 'date.turned'>('');
  const noteId = useId();
  const read = { from: readDay(typed.from, today), to: readDay(typed.to, today) };

  const pick = (day: Day) => {
    setWrong('');
    if (!anchor) {
      setAnchor(day);
      setTyped({ from: day, to: day });
      return;
    }
    onChoose(anchor < day ? { from: anchor, to: day } : { from: day, to: anchor });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { from, to } = read;
    if (from === undefined || to === undefined) setWrong('date.wrong');
    else if (from && to && to < from) setWrong('date.turned');
    else onChoose({ from, to });
  };
  const field = (end: 'from' | 'to') => (
    <label className="stack gap-s1 type-meta ink-2">
      <span>{t(`date.${end}`)}</span>
      <input
        className="input num"
        inputMode="numeric"
        placeholder="2026-07-01"
        autoComplete="off"
        spellCheck={false}
        maxLength={40}
        aria-invalid={(wrong && (wrong === 'date.turned' || read[end] === undefined)) || undefined}
        aria-describedby={wrong ? noteId : undefined}
        value={typed[end]}
        onChange={({ target }) => {
          setTyped({ ...typed, [end]: target.value });
          setAnchor('');
          setWrong('');
        }}
      />
    </label>
  );

  return (
    <form className={styles.dates} onSubmit={submit} noValidate>
      <ul className={`chips ${styles.presets}`} aria-label={t('date.presets')}>
        {PRESETS.map((preset, index) => (
          <li key={preset}>
            <button
              className="chip"
              type="button"
              data-focus-first={index === 0 || undefined}
              onClick={() => onChoose(presetRange(preset, today))}
            >
              {t(`date.${preset}`)}
            </button>
          </li>
        ))}
      </ul>
      <div className={styles.ends}>
        {field('from')}
        {field('to')}
        <Button look="primary" label={t('date.apply')} type="submit" />
      </div>
      {wrong && <Fault id={noteId}>{t(wrong)}</Fault>}
      <LateCalendar today={today} range={{ from: read.from ?? '', to: read.to ?? '' }} onPick={pick} />
    </form>
  );
}

const calendarPart = createLatePart(() => import(/* webpackChunkName: "calendar" */ 'host/ui/calendar.tsx'));
type CalendarProps = ComponentProps<NonNullable<ReturnType<typeof calendarPart.loaded>>['Calendar']>;

/** The calendar is loaded when first shown. Until then, or if that fails, days can be typed. */
function LateCalendar(props: Omit<CalendarProps, 'texts' | 'locale'>) {
  const t = useTexts(filterTexts);
  const { locale } = useFormats();
  const texts = {
    month: t('calendar.month'),
    year: t('calendar.year'),
    previous: t('calendar.previous'),
    next: t('calendar.next'),
    today: (day: string) => t('calendar.today', { day }),
    selected: (day: string) => t('calendar.selected', { day }),
  };
  const loading = <div className={styles.calendarBone} role="status" aria-label={t('date.loading')} />;
  const failed = <p className={styles.status}>{t('date.failed')}</p>;
  return (
    <PartBoundary fallback={failed}>
      <Late part={calendarPart} loading={loading} failed={failed}>
        {({ Calendar }) => <Calendar {...props} locale={locale} texts={texts} />}
      </Late>
    </PartBoundary>
  );
}

/**
 * Parses a typed day: 2026-07-01, 2026/7/1, 20260701, 2026年7月1日, and without a year 7-1, 7/1, 7月1日, which belong to the year of `today`. ''
 * for empty text, undefined if it is invalid.
 */
function readDay(text: string, today: Day): Day | '' | undefined {
  const trimmed = text.normalize('NFKC').trim();
  if (!trimmed) return '';
  const full =
    /^(\d{4})\s*[-/.年]\s*(\d{1,2})\s*[-/.月]\s*(\d{1,2})\s*[日号]?$/.exec(trimmed) ??
    /^(\d{4})(\d\d)(\d\d)$/.exec(trimmed);
  if (full) return dayFrom(Number(full[1]), Number(full[2]), Number(full[3]));
  const short = /^(\d{1,2})\s*[-/.月]\s*(\d{1,2})\s*[日号]?$/.exec(trimmed);
  return short ? dayFrom(Number(today.slice(0, 4)), Number(short[1]), Number(short[2])) : undefined;
}
