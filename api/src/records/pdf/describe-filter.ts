import type { ReportJob } from './report-job.ts';
import type { ReportMessages } from './report-messages.ts';
import { spacedId } from './spaced-id.ts';

/** Describes the filters of a report: name and value of each. */
export function describeFilter(
  { filter, mask, tz }: ReportJob,
  texts: ReportMessages,
): [label: string, value: string][] {
  const rows: [string, string][] = [];
  if (!filter) rows.push([texts.records, texts.chosen]);
  else {
    const { contact, from, to, source, feedback, text } = filter;
    rows.push([
      texts.contact,
      contact === undefined ? texts.anyone : contact === '' ? texts.oneself : spacedId(contact),
    ]);
    rows.push([texts.period, period(from, to, texts)]);
    if (source) rows.push([texts.source, texts.sources[source]]);
    if (feedback) {
      const ratings = { up: texts.helpful, down: texts.unhelpful, none: texts.unrated };
      rows.push([texts.feedback, ratings[feedback]]);
    }
    if (text) rows.push([texts.text, text]);
  }
  rows.push([texts.tz, tz]);
  if (mask) rows.push([texts.privacy, texts.masked]);
  return rows;
}

function period(from: string | undefined, to: string | undefined, texts: ReportMessages): string {
  if (from !== undefined && to !== undefined) return from === to ? from : texts.between(from, to);
  if (from !== undefined) return texts.since(from);
  return to === undefined ? texts.anyTime : texts.until(to);
}
