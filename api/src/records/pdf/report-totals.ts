import type { AnswerSource } from '../../contract/answers.ts';
import type { DeskRecord } from '../../contract/records.ts';

/** Totals of a report, counted while its records pass: the same as those of GET /api/stats. */
export interface ReportTotals {
  records: number;
  /** Records of source `none`. */
  unanswered: number;
  bySource: Record<AnswerSource, number>;
  up: number;
  down: number;
  /** Records by day, YYYY-MM-DD. */
  byDay: Map<string, number>;
  add(record: DeskRecord, day: string): void;
  /** Median time from question to answer in ms; null without answers. */
  medianMs(): number | null;
}

export function createReportTotals(): ReportTotals {
  const times: number[] = [];
  const totals: ReportTotals = {
    records: 0,
    unanswered: 0,
    bySource: { curated: 0, document: 0, model: 0, none: 0 },
    up: 0,
    down: 0,
    byDay: new Map(),
    add({ source, feedback, createdAt, answerStartedAt, answeredAt }, day) {
      totals.records += 1;
      totals.bySource[source] += 1;
      if (source === 'none') totals.unanswered += 1;
      if (feedback?.rating === 1) totals.up += 1;
      if (feedback?.rating === -1) totals.down += 1;
      totals.byDay.set(day, (totals.byDay.get(day) ?? 0) + 1);
      if (answeredAt !== null && source !== 'none')
        times.push(Date.parse(answeredAt) - Date.parse(answerStartedAt ?? createdAt));
    },
    medianMs() {
      if (times.length === 0) return null;
      times.sort((a, b) => a - b);
      const middle = times.length >> 1;
      return times.length % 2 === 1 ? times[middle]! : Math.round((times[middle - 1]! + times[middle]!) / 2);
    },
  };
  return totals;
}
