/** A day as 'YYYY-MM-DD' (or with more digits of the year), without a time zone. */
export type Day = string;

/** Noon of a day in the browser's time zone. Changes of daylight saving time never affect noon. */
export function localDate(day: Day): Date {
  const [year = 1, month = 1, date = 1] = day.split('-').map(Number);
  const local = new Date(2000, month - 1, date, 12);
  // The constructor would take years below 100 as 19xx.
  local.setFullYear(year, month - 1, date);
  return local;
}

export function dayOfLocal(date: Date): Day {
  const [year, month, day] = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}
