import { useFormats, useTexts } from 'host/ui/screen.tsx';
import { useMemo } from 'react';
import { createDayFormat, dayIn } from '../history/filters/days.ts';
import { timeZone } from '../history/filters/filter.ts';
import { reportTexts } from '../lib/texts.ts';

export type Words = ReturnType<typeof useWords>;

/** Translator and formatters of the report. */
export function useWords() {
  const t = useTexts(reportTexts);
  const { locale, numbers } = useFormats();
  const today = dayIn(timeZone());
  const days = useMemo(() => createDayFormat(locale, today, t), [locale, today, t]);
  return { t, days, numbers };
}
