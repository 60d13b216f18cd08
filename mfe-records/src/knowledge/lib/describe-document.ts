import type { KnowledgeDocumentInfo } from 'api/contract/knowledge';
import type { Translate } from 'host/contract';
import type { DateFormats } from 'host/ui/format-date.ts';
import { formatSize } from 'host/ui/format-size.ts';
import { dayOfLocal } from 'host/ui/local-day.ts';
import type { KnowledgeTexts } from '../../lib/texts.ts';

/**
 * 'PDF，18 页' or 'DOCX，1.2 MB': type and most useful size; before indexing, derived from its name. Starts with the file name if the title
 * differs from it.
 */
export function describe(one: KnowledgeDocumentInfo, t: Translate<KnowledgeTexts>): string {
  if (one.isHandbook) return t('handbook');
  const measures = [
    one.status === 'ready' ? t(`kind.${one.type}`) : extensionOf(one.name),
    one.pages > 1 ? t('pages', { count: one.pages }) : '',
    one.size > 0 && one.pages <= 1 ? formatSize(one.size) : '',
  ];
  const what = measures.filter(Boolean).join(t('kind.separator'));
  return [isOtherName(one) ? one.name : '', what].filter(Boolean).join(' · ');
}

function isOtherName({ name, title }: KnowledgeDocumentInfo): boolean {
  return title !== name && title !== name.replace(/\.[^.]*$/, '');
}

function extensionOf(name: string): string {
  return /\.([A-Za-z0-9]{1,8})$/.exec(name)?.[1]?.toUpperCase() ?? '';
}

const JUST_NOW_MS = 60_000;

/** 刚刚, the time of today, or the day. */
export function whenOf(time: string, dates: DateFormats, t: Translate<KnowledgeTexts>): string {
  const date = new Date(time);
  const now = new Date();
  if (now.valueOf() - date.valueOf() < JUST_NOW_MS) return t('justNow');
  return dayOfLocal(date) === dayOfLocal(now) ? dates.clock(date) : dates.day(date);
}
