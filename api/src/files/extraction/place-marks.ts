import { randomBytes } from 'node:crypto';
import type { Place } from '../../answers/index/document.ts';
import type { SourcePlace } from '../../contract/sources.ts';

/**
 * Readers write marks into the text where pages, slides, sheets and table rows start. They are removed when the text is complete, since
 * cleaning moves positions. Noncharacters delimit them, which no text contains afterwards; the random part prevents a file from containing
 * marks itself.
 */
const OPEN = `\ufdd0${randomBytes(8).toString('hex')}`;
const CLOSE = '\ufdd1';
const MARKS = new RegExp(`${OPEN}([^${CLOSE}]*)${CLOSE}`, 'g');

/** Maximum number of places per document; a larger number would only come from a file of separate rows. */
const MAX_PLACES = 20_000;

/** To be written directly before the text at that place. Rows of a Markdown table after a mark count on by themselves. */
export function placeMark(place: SourcePlace): string {
  return `${OPEN}${JSON.stringify(place)}${CLOSE}`;
}

export function withoutMarks(text: string): string {
  return text.replace(MARKS, '');
}

/** Removes all marks, and their delimiters if the file contains any; returns their places in the remaining text. */
export function takePlaces(marked: string): { text: string; places: Place[] } {
  const places: Place[] = [];
  const parts: string[] = [];
  let start = 0;
  for (const [index, part] of marked.split(MARKS).entries()) {
    // Every second part is what a mark contains.
    if (index % 2 === 1) places.push({ start, ...(JSON.parse(part) as SourcePlace) });
    else {
      const text = part.replace(/[\ufdd0\ufdd1]/g, '');
      parts.push(text);
      start += text.length;
    }
  }
  return { text: parts.join(''), places: places.slice(0, MAX_PLACES) };
}
