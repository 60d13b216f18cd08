import type { DeskRecord, Language, PdfRequest } from '../../contract/contract.ts';
import { type ReportLimit, reportTooLarge } from '../../contract/errors.ts';
import { errorCode } from '../../store/error-code.ts';
import { createTurnQueue } from '../../store/turn-queue.ts';
import type { ExportedRecords } from '../archive/exported-records.ts';
import type { Contacts } from '../contacts.ts';
import { toDeskRecord } from '../record.ts';
import type { MatchingRecords } from '../search/matching-records.ts';
import { makeInWorker } from './make-in-worker.ts';
import type { MadeReport, ReportJob, ReportSlice } from './report-job.ts';

export interface Reports {
  /**
   * Makes a PDF of the owner's records, in a thread of its own; at most two are made at once, one of them of the same caller; some more
   * wait, and callers take turns. Ends early when `signal` aborts.
   *
   * @throws notFound('record') for an id that is none of the owner's; reportTooLarge; unavailable when too many wait, rateLimited when too
   * many of `caller` do; AbortError; what a
   * search throws for a filter.
   */
  make(
    owner: string,
    language: Language,
    request: PdfRequest,
    options: { caller: string; signal: AbortSignal },
  ): Promise<MadeReport>;
}

/** Reads a picture that a record names by its url, of the owner's; null where it is gone. Bytes as they were uploaded. */
export type ReadPicture = (owner: string, url: string) => Promise<Uint8Array | null>;

/** Records of one report. */
export const mostRecords = 5000;
/** UTF-16 units of the questions and answers of one report: some 8,000 pages. */
const mostText = 10_000_000;
/** Records that are handed to the thread in one go: few enough that the copying holds nobody up. */
const sliceSize = 50;
/** A report that takes longer, in ms, is given up. */
const longestMs = 240_000;
/** Bytes of the pictures of one report. */
const mostPictureBytes = 64 * 1024 * 1024;

export function createReports(deps: {
  selected: ExportedRecords;
  matching: Pick<MatchingRecords, 'count'>;
  contacts: Pick<Contacts, 'idOf'>;
  readPicture: ReadPicture;
}): Reports {
  const { selected, matching, contacts, readPicture } = deps;
  const queue = createTurnQueue({
    most: 2,
    mostOfCaller: 1,
    mostWaiting: 16,
    mostWaitingOfCaller: 4,
    retryAfter: 10,
  });

  async function refuseTooMany(owner: string, { ids, filter }: PdfRequest): Promise<void> {
    if (ids && new Set(ids).size > mostRecords) throw reportTooLarge('records', new Set(ids).size);
    if (!filter) return;
    const { total, totalIsMore } = await matching.count(owner, filter);
    if (total > mostRecords) throw reportTooLarge(totalIsMore ? 'more_records' : 'records', total);
  }

  async function* slices(owner: string, request: PdfRequest): AsyncGenerator<ReportSlice> {
    const left = { records: mostRecords, text: mostText, pictures: mostPictureBytes };
    for await (const found of await selected.read(owner, request)) {
      for (let at = 0; at < found.length; at += sliceSize) {
        const records = found.slice(at, at + sliceSize).map(toDeskRecord);
        left.records -= records.length;
        for (const { question, answer } of records) left.text -= question.length + answer.length;
        // More may have come in since they were counted.
        if (left.records < 0) throw reportTooLarge('records', mostRecords - left.records);
        if (left.text < 0) throw reportTooLarge('text' satisfies ReportLimit, mostText);
        yield { records, pictures: await picturesOf(owner, records, left) };
      }
    }
  }

  async function picturesOf(
    owner: string,
    records: readonly DeskRecord[],
    left: { pictures: number },
  ): Promise<Map<string, Uint8Array>> {
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
    async make(owner, language, request, { caller, signal }) {
      await refuseTooMany(owner, request);
      const { ids, filter, title = '', mask = false, tz = 'UTC' } = request;
      const contact =
        filter?.contact === undefined ? {} : { contact: await contacts.idOf(owner, filter.contact) };
      const job: ReportJob = {
        language,
        title,
        filter: ids ? null : { ...filter, ...contact },
        tz: filter?.tz ?? tz,
        mask,
        madeAt: new Date().toISOString(),
      };
      return queue.run(signal, () => makeWithin(longestMs, job, slices(owner, request), signal), caller);
    },
  };
}

/** @throws reportTooLarge where it takes longer than `ms` or more memory than a thread may have. */
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
    throw isTooMuch ? reportTooLarge('layout') : cause;
  }
}
