import type { AnsweredBy } from 'api/contract/answers';
import type { DeskRecord } from 'api/contract/records';
import type { RecordStats, SearchPage } from 'api/contract/search';
import type { Answer } from 'host/stand-ins';
import { dayIn } from '../history/filters/days.ts';
import { answererOf } from '../lib/answerer-mark.tsx';

/** Answers POST /api/stats like the API, from the records that `answer` finds for the same filter; passes other calls on. */
export function withStats(answer: Answer): Answer {
  return (call) => {
    if (call.method !== 'POST' || call.url !== '/api/stats') return answer(call);
    const body = { ...(call.body as object), limit: 1_000_000 };
    const { records } = answer({ ...call, method: 'POST', url: '/api/search', body }) as SearchPage;
    return statsOf(records);
  };
}

/** The statistics of these records, newest first. */
function statsOf(records: DeskRecord[]): RecordStats {
  const bySource: Record<AnsweredBy, number> = { curated: 0, document: 0, model: 0, person: 0, none: 0 };
  const byOutcome = { answered: 0, related: 0, nothing: 0 };
  const byDay = new Map<string, number>();
  const byContact = new Map<string, RecordStats['byContact'][number]>();
  const times: number[] = [];
  for (const record of records) {
    const { source, createdAt, answeredAt, contact } = record;
    bySource[answererOf(record)] += 1;
    byOutcome[answererOf(record) === 'none' ? (record.outcome ?? 'nothing') : 'answered'] += 1;
    const day = dayIn(undefined, new Date(createdAt));
    byDay.set(day, (byDay.get(day) ?? 0) + 1);
    const id = contact?.id ?? '';
    byContact.set(id, { contact, count: (byContact.get(id)?.count ?? 0) + 1 });
    if (answeredAt && source !== 'none') times.push(Date.parse(answeredAt) - Date.parse(createdAt));
  }
  times.sort((a, b) => a - b);
  const rated = (rating: 1 | -1) => records.filter(({ feedback }) => feedback?.rating === rating).length;
  return {
    total: records.length,
    answered: records.length - bySource.none,
    unanswered: bySource.none,
    bySource,
    byOutcome,
    byDay: [...byDay].map(([day, count]) => ({ day, count })).sort((a, b) => (a.day < b.day ? -1 : 1)),
    byContact: [...byContact.values()].sort((a, b) => b.count - a.count),
    satisfaction: { up: rated(1), down: rated(-1) },
    medianMs: times[Math.floor(times.length / 2)] ?? null,
  };
}
