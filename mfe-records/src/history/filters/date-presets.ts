import { addDays, type Day, endOfMonth, startOfMonth, startOfWeek } from './days.ts';

export interface DayRange {
  /** Inclusive, YYYY-MM-DD; '' for an open end. */
  from: Day;
  to: Day;
}

export const PRESETS = ['today', 'yesterday', 'seven', 'lastWeek', 'thisMonth', 'lastMonth'] as const;
type Preset = (typeof PRESETS)[number];

/** The days of a preset on `today`. Weeks begin on Monday; a period that is not over ends today. */
export function presetRange(preset: Preset, today: Day): DayRange {
  const lastMonth = startOfMonth(today, -1);
  switch (preset) {
    case 'today':
      return { from: today, to: today };
    case 'yesterday':
      return { from: addDays(today, -1), to: addDays(today, -1) };
    case 'seven':
      return { from: addDays(today, -6), to: today };
    case 'lastWeek':
      return { from: startOfWeek(today, -1), to: addDays(startOfWeek(today), -1) };
    case 'thisMonth':
      return { from: startOfMonth(today), to: today };
    case 'lastMonth':
      return { from: lastMonth, to: endOfMonth(lastMonth) };
  }
}
