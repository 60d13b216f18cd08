import { chineseDates } from './chinese-dates.ts';
import type { Day } from './days.ts';
import { englishDates } from './english-dates.ts';

/** Days found in a text, with their position in UTF-16 units. */
export interface DatePhrase {
  start: number;
  end: number;
  /** Inclusive; '' for an open end. */
  from: Day;
  to: Day;
}

/** The first date expression in a text, the longest one if several match; undefined if there is none. */
export function findDate(text: string, today: Day): DatePhrase | undefined {
  const folded = fold(text);
  let best: DatePhrase | undefined;
  for (const { pattern, read } of [...chineseDates, ...englishDates])
    for (const match of folded.matchAll(pattern)) {
      const [start, end] = [match.index, match.index + match[0].length];
      const isEarlier = !best || start < best.start || (start === best.start && end > best.end);
      if (!isEarlier) continue;
      const days = read(match.groups ?? {}, today);
      if (days && (!days.from || !days.to || days.from <= days.to)) best = { start, end, ...days };
    }
  return best;
}

/** Converts full-width digits and letters to half-width and lower case, without changing positions. */
function fold(text: string): string {
  return text
    .replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replace(/[A-Z]/g, (letter) => letter.toLowerCase())
    .replace(/\u3000/g, ' ');
}
