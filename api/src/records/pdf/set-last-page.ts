import type { Say } from '../../i18n/texts-of.ts';
import type { Piece } from './flow.ts';
import type { ReportText } from './report-text.ts';
import { look } from './rich-text.ts';
import { setSpace, setText, wholeWidth } from './set-text.ts';
import { type } from './theme.ts';

interface LastPage {
  records: number;
  /** Hex. */
  digest: string;
  /** Canonical JSON. */
  conditions: string;
  mask: boolean;
}

/** The verification page of a report; see `report-digest.ts`. */
export function setLastPage(
  { records, digest, conditions, mask }: LastPage,
  write: ReportText,
  say: Say<'report'>,
): Piece[] {
  const { plain, clean, hasMissed } = write;
  clean(conditions);
  const setting = wholeWidth(write);
  const says = (text: string) => setText(plain(text, look('ink2')), setting, { type: type.body });
  const named = (name: string, value: string) => [
    setSpace(12),
    ...setText(plain(name, look('ink3')), setting, { type: type.small, isKept: true }),
    ...setText(plain(value, look('ink')), setting, { type: type.body }),
  ];
  return [
    ...setText(plain(say('check'), look('ink', { isBold: true })), setting, { type: type.day, isKept: true }),
    setSpace(6),
    ...says(say('checkIntro')),
    ...(mask ? [setSpace(5), ...says(say('checkMasked'))] : []),
    ...(hasMissed() ? [setSpace(5), ...says(say('checkMissing'))] : []),
    ...named(say('count'), String(records)),
    ...named(say('digest'), digest),
    ...named(say('filter'), conditions),
  ];
}
