import { type ClassNames, DayPicker } from 'react-day-picker';
import { enUS } from 'react-day-picker/locale/en-US';
import { zhCN } from 'react-day-picker/locale/zh-CN';
import styles from './calendar.module.css';
import { Icon } from './icon.tsx';
import { type Day, dayOfLocal, localDate } from './local-day.ts';

const YEARS_BACK = 10;

interface CalendarProps {
  isChinese: boolean;
  today: Day;
  /** The selected days; '' where an end is open. */
  range: { from: Day; to: Day };
  onPick(day: Day): void;
}

/**
 * A calendar month to choose a day from; a lazy chunk. Arrow keys move by day, Page Up and Page Down by month, with Shift by year, Home and
 * End to the ends of the week.
 */
export function Calendar({ isChinese, today, range, onPick }: CalendarProps) {
  const shown = range.from || range.to || today;
  const years = [today, range.from, range.to].filter(Boolean).map((day) => Number(day.slice(0, 4)));
  const monthNames = new Intl.DateTimeFormat(isChinese ? 'zh-CN' : 'en', { month: 'short' });
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
      locale={isChinese ? zhCN : enUS}
      weekStartsOn={1}
      showOutsideDays
      fixedWeeks
      formatters={{
        formatMonthDropdown: (month) => (isChinese ? `${month.getMonth() + 1} 月` : monthNames.format(month)),
        formatYearDropdown: (year) => `${year.getFullYear()}${isChinese ? ' 年' : ''}`,
      }}
      labels={isChinese ? {} : { labelDayButton: dayLabel }}
      components={{ Chevron }}
      classNames={CLASSES}
    />
  );
}

const DAY_NAME = new Intl.DateTimeFormat('en', {
  weekday: 'long',
  month: 'long',
  day: 'numeric',
  year: 'numeric',
});

/** Contains the number as displayed, unlike `1st`, so that speech control finds the visible text. */
function dayLabel(date: Date, { today, selected }: { today?: boolean; selected?: boolean }): string {
  return `${today ? 'Today, ' : ''}${DAY_NAME.format(date)}${selected ? ', selected' : ''}`;
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
