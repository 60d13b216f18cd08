import { type ClassNames, DayPicker } from 'react-day-picker';
import styles from './calendar.module.css';
import { formatDate } from './format-date.ts';
import { Icon } from './icon.tsx';
import { type Day, dayOfLocal, localDate } from './local-day.ts';

const YEARS_BACK = 10;

export interface CalendarTexts {
  month: string;
  year: string;
  previous: string;
  next: string;
  /** The label of a day that is today; `selected` is that of a selected day. */
  today(day: string): string;
  selected(day: string): string;
}

interface CalendarProps {
  locale: string;
  texts: CalendarTexts;
  today: Day;
  /** The selected days; '' where an end is open. */
  range: { from: Day; to: Day };
  onPick(day: Day): void;
}

/**
 * A calendar month to choose a day from; a lazy chunk. Arrow keys move by day, Page Up and Page Down by month, with Shift by year, Home and
 * End to the ends of the week.
 */
export function Calendar({ locale, texts, today, range, onPick }: CalendarProps) {
  const shown = range.from || range.to || today;
  const years = [today, range.from, range.to].filter(Boolean).map((day) => Number(day.slice(0, 4)));
  const format = (parts: Intl.DateTimeFormatOptions) => (date: Date) => formatDate(date, locale, parts);
  const dayName = new Intl.DateTimeFormat(locale, { dateStyle: 'full' });
  const weekdayName = new Intl.DateTimeFormat(locale, { weekday: 'long' });
  const monthName = new Intl.DateTimeFormat(locale, { year: 'numeric', month: 'long' });
  return (
    <DayPicker
      mode="range"
      selected={{
        from: range.from ? localDate(range.from) : range.to ? localDate(range.to) : undefined,
        to: range.to ? localDate(range.to) : undefined,
      }}
      onSelect={(_, day) => onPick(dayOfLocal(day))}
      defaultMonth={localDate(shown)}
      today={localDate(today)}
      startMonth={new Date(Math.min(...years) - YEARS_BACK, 0)}
      endMonth={new Date(Math.max(...years), 11)}
      captionLayout="dropdown"
      weekStartsOn={1}
      showOutsideDays
      fixedWeeks
      formatters={{
        formatMonthDropdown: format({ month: 'short' }),
        formatYearDropdown: format({ year: 'numeric' }),
        formatWeekdayName: format({ weekday: 'narrow' }),
      }}
      labels={{
        labelMonthDropdown: () => texts.month,
        labelYearDropdown: () => texts.year,
        labelPrevious: () => texts.previous,
        labelNext: () => texts.next,
        labelNav: () => '',
        labelGrid: (month) => monthName.format(month),
        labelWeekday: (date) => weekdayName.format(date),
        labelGridcell: (date) => dayName.format(date),
        // Contains the number as displayed, so that speech control finds the visible text.
        labelDayButton: (date, { today, selected }) => {
          const named = today ? texts.today(dayName.format(date)) : dayName.format(date);
          return selected ? texts.selected(named) : named;
        },
      }}
      components={{ Chevron }}
      classNames={CLASSES}
    />
  );
}

function Chevron({ orientation }: { orientation?: string }) {
  return <Icon name="chevron" className={`icon-s ${orientation === 'down' ? '' : (orientation ?? '')}`} />;
}

const CLASSES = {
  root: styles.root,
  months: styles.months,
  nav: styles.nav,
  button_previous: 'icon-button',
  button_next: 'icon-button',
  month_caption: styles.caption,
  dropdowns: styles.dropdowns,
  dropdown_root: styles.dropdown,
  dropdown: styles.select,
  caption_label: styles.label,
  month_grid: styles.grid,
  weekday: styles.weekday,
  day: styles.day,
  day_button: styles.button,
  outside: styles.outside,
  today: styles.today,
  selected: styles.selected,
  range_start: styles.start,
  range_middle: styles.middle,
  range_end: styles.end,
} as Partial<ClassNames>;
