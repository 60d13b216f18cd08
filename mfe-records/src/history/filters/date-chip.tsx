import { useFormats, useTexts } from 'host/ui/screen.tsx';
import { useMemo } from 'react';
import { filterTexts } from '../../lib/texts.ts';
import { DatePicker } from './date-picker.tsx';
import { createDayFormat, type DayRange, dayIn } from './days.ts';
import { timeZone } from './filter.ts';
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
