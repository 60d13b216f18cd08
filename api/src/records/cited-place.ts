import type { Citation } from '../contract/answers.ts';
import { listOf, type Text, textsOf } from '../i18n/texts-of.ts';

/** Where a quote is found in its document: its section, and page, slide, or sheet and row; null if unknown. */
export function citedPlace({ title, place = '', at = {} }: Omit<Citation, 'quote'>): Text | null {
  const section = place.split(' › ').at(-1)!;
  const { page, slide, sheet, row } = at;
  const text = textsOf('places');
  const parts = [
    section === title ? '' : section,
    page === undefined ? '' : text('page', { n: page }),
    slide === undefined ? '' : text('slide', { n: slide }),
    sheet === undefined || sheet === section ? '' : text('sheet', { name: sheet }),
    row === undefined ? '' : text('row', { n: row }),
  ].filter((part) => part !== '');
  return parts.length > 0 ? listOf(parts) : null;
}
