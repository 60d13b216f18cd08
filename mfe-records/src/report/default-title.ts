import type { Contact } from 'api/contract/records';
import { contactLabel, spacedId } from '../filters/contact-label.ts';
import type { Filter } from '../filters/filter.ts';
import { maskContact, maskWithin } from './mask-contact.ts';
import type { ReportTexts } from './report-texts.ts';

const TITLE_MAX = 200;

interface TitleWords extends Pick<ReportTexts, 't' | 'days'> {
  filter: Filter;
  /** The contact of the filter, with its name if known. */
  contact: Contact | null;
  mask: boolean;
}

/** Default title of the report: days, contact and other filters. */
export function defaultTitle(words: TitleWords): string {
  const what = filterWords(words).join(words.t('default.join'));
  if (!what) return words.t('default.all');
  return words
    .t('default.of', { what: `${what}${/[\p{Script=Han}”]$/u.test(what) ? '' : ' '}` })
    .trim()
    .slice(0, TITLE_MAX);
}

/** The filters as listed on the title page. */
export function conditionsOf({ filter, contact, mask, t }: TitleWords): [name: string, value: string][] {
  const { text, from, to, source, feedback } = filter;
  const id = contact && spacedId((mask ? maskContact(contact) : contact).id);
  const hidden = mask ? maskWithin(text.trim(), contact ? [contact] : []) : text.trim();
  const rows: [string, string][] = [
    [t('col.contact'), filter.contact === '' ? t('myself') : (id ?? t('preview.anyone'))],
    [t('preview.period'), period(from, to, t)],
    [t('col.source'), source && t(`source.${source}`)],
    [t('col.rating'), feedback && t(`rating.${feedback}`)],
    [t('preview.text'), hidden],
  ];
  return rows.filter(([, value]) => value !== '');
}

function period(from: string, to: string, t: ReportTexts['t']): string {
  if (!from && !to) return t('preview.anyTime');
  if (from === to) return from;
  if (!to) return t('preview.since', { from });
  return from ? t('preview.between', { from, to }) : t('preview.until', { to });
}

function filterWords({ filter, contact, mask, t, days }: TitleWords): string[] {
  const { text, from, to, source, feedback } = filter;
  const shown = contact && mask ? maskContact(contact) : contact;
  return [
    (from || to) && days.range(from, to),
    filter.contact === '' ? t('myself') : shown ? contactLabel(shown) : '',
    text.trim() && t('default.text', { text: text.trim() }),
    source && t(`source.${source}`),
    feedback && t(`rating.${feedback}`),
  ].filter(Boolean) as string[];
}
