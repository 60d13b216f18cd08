import type { Translate } from 'host/contract';
import type { Calendar } from './calendar.ts';
import type { RecordWords } from './words.ts';

/** How every part of the report speaks. */
export interface ReportWords {
  t: Translate<RecordWords>;
  calendar: Calendar;
  numbers: Intl.NumberFormat;
}
