import type { ReportJob } from './report-job.ts';
import type { ReportMessages } from './report-messages.ts';
import { spacedId } from './spaced-id.ts';

/** Describes the filters of a report: name and value of each. */
export function describeFilter(
  { filter, mask, tz }: ReportJob,
  words: ReportMessages,
): [label: string, value: string][] {
  const rows: [string, string][] = [];
  if (!filter) rows.push([words.records, words.chosen]);
  else {
    const { contact, from, to, source, feedback, text } = filter;
    rows.push([
      words.contact,
      contact === undefined ? words.anyone : contact === '' ? words.oneself : spacedId(contact),
    ]);
    rows.push([words.period, period(from, to, words)]);
    if (source) rows.push([words.source, words.sources[source]]);
    if (feedback) {
      const ratings = { up: words.helpful, down: words.unhelpful, none: words.unrated };
      rows.push([words.feedback, ratings[feedback]]);
    }
    if (text) rows.push([words.text, text]);
  }
  rows.push([words.tz, tz]);
  if (mask) rows.push([words.privacy, words.masked]);
  return rows;
}

function period(from: string | undefined, to: string | undefined, words: ReportMessages): string {
  if (from !== undefined && to !== undefined) return from === to ? from : words.between(from, to);
  if (from !== undefined) return words.since(from);
  return to === undefined ? words.anyTime : words.until(to);
}
