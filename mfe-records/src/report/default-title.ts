import type { Contact } from 'api/contract/records';
import { contactLabel } from '../history/filters/contact-label.ts';
import type { Filter } from '../history/filters/filter.ts';
import type { ReportTexts } from './report-texts.ts';

const TITLE_MAX = 200;

interface TitleWords extends Pick<ReportTexts, 't' | 'days'> {
  filter: Filter;
  /** The contact of the filter, with its name if known. */
  contact: Contact | null;
}

/** Default title of the report: days, contact and other filters. The API masks it like the rest of the report. */
export function defaultTitle(words: TitleWords): string {
  const what = filterWords(words).join(words.t('default.join'));
  if (!what) return words.t('default.all');
  return words
    .t('default.of', { what: `${what}${/[\p{Script=Han}”]$/u.test(what) ? '' : ' '}` })
    .trim()
    .slice(0, TITLE_MAX);
}

function filterWords({ filter, contact, t, days }: TitleWords): string[] {
  const { text, from, to, source, feedback } = filter;
  return [
    (from || to) && days.range(from, to),
    filter.contact === '' ? t('myself') : contact ? contactLabel(contact) : '',
    text.trim() && t('default.text', { text: text.trim() }),
    source && t(`source.${source}`),
    feedback && t(`rating.${feedback}`),
  ].filter(Boolean) as string[];
}
