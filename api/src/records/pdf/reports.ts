import type { PdfRequest } from '../../contract/archives.ts';
import type { Language } from '../../contract/language.ts';
import type { DeskRecord } from '../../contract/records.ts';
import { ApiError } from '../../errors/errors.ts';
import { databaseDate } from '../../store/database-clock.ts';
import { inSlices } from '../../store/in-slices.ts';
import { errorCode } from '../../store/store-failure.ts';
import { createTurnQueue } from '../../store/turn-queue.ts';
import type { ReadSelected } from '../archive/exported-records.ts';
import type { Contacts } from '../contacts.ts';
import { type RecordDocument, toDeskRecord } from '../record.ts';
import type { MatchingRecords } from '../search/matching-records.ts';
import type { Stats } from '../statistics/stats.ts';
import { makeInWorker } from './make-in-worker.ts';
import type { MadeReport, ReportJob, ReportSlice } from './report-job.ts';

/** An image of the owner's that a record names by URL, as uploaded; null if it no longer exists. */
export type ReadPicture = (owner: string, url: string) => Promise<Uint8Array | null>;

/** Maximum number of records in a report. */
const maxRecords = 5000;

/** Maximum number of records in a preview: its first pages. */
const previewRecords = 20;

/** Maximum UTF-16 units of all questions and answers in a report: about 8,000 pages. */
const maxText = 10_000_000;

/** Records passed to the worker per message: few enough that copying does not block the main thread. */
const sliceSize = 50;

/** Time limit of a report, in ms. */
const timeLimitMs = 240_000;

/** Maximum bytes of all images in a report. */
const maxImageBytes = 64 * 1024 * 1024;

export type Reports = ReturnType<typeof createReports>;

export function createReports(deps: {
  readSelected: ReadSelected;
  matching: Pick<MatchingRecords, 'count'>;
  stats: Pick<Stats, 'of'>;
  contacts: Pick<Contacts, 'idOf'>;
  readPicture: ReadPicture;
}) {
  const { readSelected, matching, stats, contacts, readPicture } = deps;
  const waiting = { maxWaiting: 16, maxWaitingOfCaller: 4, retryAfter: 10 };
  const queue = createTurnQueue({ max: 2, maxOfCaller: 1, ...waiting });

  async function refuseTooMany(owner: string, { ids, filter }: PdfRequest): Promise<void> {
    if (ids && new Set(ids).size > maxRecords)
      throw new ApiError('report_records', { count: new Set(ids).size });
    if (!filter) return;
    const { total, totalIsMore } = await matching.count(owner, filter);
    if (total > maxRecords)
      throw new ApiError(`report_${totalIsMore ? 'more_records' : 'records'}`, { count: total });
  }

  async function* chosen(owner: string, request: PdfRequest, max: number): AsyncGenerator<RecordDocument[]> {
    let left = max;
    for await (const found of readSelected(owner, request)) {
      yield found.slice(0, left);
      left -= found.length;
      if (left <= 0) return;
    }
  }

  async function* slices(owner: string, all: AsyncIterable<RecordDocument[]>, hasPictures = true) {
    const left = { records: maxRecords, text: maxText, pictures: maxImageBytes };
    for await (const found of all) {
      for (const some of inSlices(found, sliceSize)) {
        const records = some.map(toDeskRecord);
        left.records -= records.length;
        for (const { question, answer } of records) left.text -= question.length + answer.length;
        // More may have been added since they were counted.
        if (left.records < 0) throw new ApiError('report_records', { count: maxRecords - left.records });
        if (left.text < 0) throw new ApiError('report_text', { count: maxText });
        const pictures = hasPictures ? await picturesOf(owner, records, left) : new Map();
        yield { records, pictures } satisfies ReportSlice;
      }
    }
  }

  async function picturesOf(owner: string, records: readonly DeskRecord[], left: { pictures: number }) {
    const pictures = new Map<string, Uint8Array>();
    for (const { url, imgUrls } of records) {
      for (const one of new Set(url === '' ? imgUrls : [url, ...imgUrls])) {
        const bytes = left.pictures > 0 ? await readPicture(owner, one) : null;
        if (!bytes || bytes.length > left.pictures) continue;
        left.pictures -= bytes.length;
        pictures.set(one, bytes);
      }
    }
    return pictures;
  }

  return {
    /**
     * Creates a PDF of the owner's records in a worker thread; with `isPreview` only of the first ones. At most
     * two run concurrently, one per caller; others wait, with round-robin between callers. Ends early when
     * `signal` aborts.
     * @throws notFound('record') if an id is not the owner's; too_large; unavailable if too many are
     * waiting, rate_limited if too many of `caller` are; AbortError; what a search throws for a filter.
     */
    async make(
      owner: string,
      language: Language,
      request: PdfRequest,
      { caller, signal, isPreview = false }: { caller: string; signal: AbortSignal; isPreview?: boolean },
    ): Promise<MadeReport> {
      await refuseTooMany(owner, request);
      const { ids, filter, title = '', mask = false, questionsOnly = false, tz = 'UTC' } = request;
      const named = filter?.contact;
      const contact = named === undefined ? {} : { contact: await contacts.idOf(owner, named) };
      const totals = isPreview && filter ? await stats.of(owner, filter, true) : undefined;
      const isPart = totals !== undefined && totals.total > previewRecords;
      const job: ReportJob = {
        ...(isPart && { totals }),
        language,
        title,
        filter: ids ? null : { ...filter, ...contact },
        tz: filter?.tz ?? tz,
        mask,
        questionsOnly,
        madeAt: databaseDate().toISOString(),
      };
      const all = chosen(owner, request, isPart ? previewRecords : Infinity);
      const records = slices(owner, all, !questionsOnly);
      return queue.run(signal, () => makeWithin(timeLimitMs, job, records, signal), caller);
    },

    /** `records` are those of the conversation, oldest first. @throws as `make` */
    async ofConversation(
      owner: string,
      about: Pick<ReportJob, 'language' | 'title' | 'tz' | 'people'>,
      records: AsyncIterable<RecordDocument[]>,
      { caller, signal }: { caller: string; signal: AbortSignal },
    ): Promise<MadeReport> {
      const messages = (about.people ?? []).flatMap((handover) => [
        handover.question,
        ...handover.messages.map(({ text }) => text),
      ]);
      if (messages.reduce((total, text) => total + text.length, 0) > maxText)
        throw new ApiError('report_text', { count: maxText });
      const madeAt = databaseDate().toISOString();
      const job = { ...about, filter: null, mask: false, madeAt, isConversation: true };
      return queue.run(signal, () => makeWithin(timeLimitMs, job, slices(owner, records), signal), caller);
    },
  };
}

/** @throws too_large if it takes longer than `ms` or exceeds the memory limit. */
async function makeWithin(
  ms: number,
  job: ReportJob,
  slices: AsyncIterable<ReportSlice>,
  signal: AbortSignal,
): Promise<MadeReport> {
  const timeout = AbortSignal.timeout(ms);
  try {
    return await makeInWorker(job, slices, AbortSignal.any([signal, timeout]));
  } catch (cause) {
    const isTooMuch = cause === timeout.reason || errorCode(cause) === 'ERR_WORKER_OUT_OF_MEMORY';
    throw isTooMuch ? new ApiError('report_layout') : cause;
  }
}
