import { useMemo } from 'react';
import { DatePicker } from './date-picker.tsx';
import { createDayFormat, type DayRange, dayIn } from './days.ts';
import { timeZone } from './filter.ts';
import { FilterChip } from './filter-chip.tsx';
import type { FilterTranslate } from './filter-texts.ts';

interface DateChipProps extends DayRange {
  locale: string;
  t: FilterTranslate;
  onChange(range: DayRange): void;
}

export function DateChip({ from, to, locale, t, onChange }: DateChipProps) {
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
      closeLabel={t('close')}
      opens="dialog"
      onOff={() => onChange({ from: '', to: '' })}
    >
      {(close) => (
        <DatePicker
          range={{ from, to }}
          today={today}
          locale={locale}
          t={t}
          onChoose={(range) => {
            close();
            onChange(range);
          }}
        />
      )}
    </FilterChip>
  );
}
