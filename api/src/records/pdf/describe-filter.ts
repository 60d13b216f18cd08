import type { Say } from '../../i18n/texts-of.ts';
import type { ReportJob } from './report-job.ts';
import { spacedId } from './spaced-id.ts';

/** Describes the filters of a report: name and value of each. */
export function describeFilter(
  { filter, mask, tz }: ReportJob,
  say: Say<'report'>,
): [label: string, value: string][] {
  const rows: [string, string][] = [];
  if (!filter) rows.push([say('records'), say('chosen')]);
  else {
    const { contact, from, to, source, outcome, feedback, text } = filter;
    rows.push([
      say('contact'),
      contact === undefined ? say('anyone') : contact === '' ? say('oneself') : spacedId(contact),
    ]);
    rows.push([say('period'), period(from, to, say)]);
    if (source) rows.push([say('source'), say(`source_${source}`)]);
    if (outcome) rows.push([say('outcome'), say(`outcome_${outcome}`)]);
    if (feedback) {
      const ratings = { up: say('helpful'), down: say('unhelpful'), none: say('unrated') };
      rows.push([say('feedback'), ratings[feedback]]);
    }
    if (text) rows.push([say('text'), text]);
  }
  rows.push([say('tz'), tz]);
  if (mask) rows.push([say('privacy'), say('masked')]);
  return rows;
}

function period(from: string | undefined, to: string | undefined, say: Say<'report'>): string {
  if (from !== undefined && to !== undefined) return from === to ? from : say('between', { from, to });
  if (from !== undefined) return say('since', { day: from });
  return to === undefined ? say('anyTime') : say('until', { day: to });
}
