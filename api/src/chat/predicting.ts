import type { Types } from 'mongoose';
import type { Guests } from '../accounts/guests.ts';
import type { ChatQuestion } from '../contract/chat.ts';
import type { ReadingProgress } from '../contract/files.ts';
import type { Language } from '../contract/language.ts';
import type { RecordFile } from '../contract/records.ts';
import { ApiError, ofFile } from '../errors/errors.ts';
import type { DeleteFiles } from '../files/delete-files.ts';
import type { Extractor } from '../files/extraction/create-extractor.ts';
import type { Extracted } from '../files/extraction/extractor.ts';
import type { StoreFile } from '../files/store-file.ts';
import type { UploadModel } from '../files/upload.ts';
import type { UploadedFile } from '../http/desk-state.ts';
import { listOf, textsOf } from '../i18n/texts-of.ts';
import type { Contacts } from '../records/contacts.ts';
import type { ConversationSummaries } from '../records/conversation-summaries.ts';
import type { RecordDocument } from '../records/record.ts';
import { unguessableId } from '../store/object-id.ts';
import type { Asked, Asking } from './asking.ts';

const textOf = textsOf('answers');

export type Predicting = ReturnType<typeof createPredicting>;

export function createPredicting(deps: {
  extractor: Extractor;
  asking: Asking;
  storeFile: StoreFile;
  deleteFiles: DeleteFiles;
  uploads: UploadModel;
  contacts: Pick<Contacts, 'resolve'>;
  summaries: Pick<ConversationSummaries, 'get'>;
  guests: Pick<Guests, 'ensureStored' | 'ownerNow'>;
}) {
  const { extractor, asking, storeFile, deleteFiles, uploads, contacts, summaries, guests } = deps;
  const running = new Set<Promise<Asked>>();
  const stopping = new AbortController();

  /** Checks before reading everything that could be refused after it. */
  async function check(owner: string, { conversationId, contact }: ChatQuestion): Promise<void> {
    if (conversationId !== undefined) await summaries.get(owner, conversationId);
    await contacts.resolve(owner, contact);
  }

  async function read(
    { path, name }: UploadedFile,
    { caller, signal }: { signal: AbortSignal; caller?: string },
    report: (done: number, total: number) => void,
  ): Promise<Extracted> {
    try {
      return await extractor.extract(path, name, {
        ...(caller === undefined ? {} : { caller }),
        signal,
        onProgress: ({ done, total }) => report(done, total),
      });
    } catch (cause) {
      signal.throwIfAborted();
      throw cause instanceof ApiError && cause.status < 500 ? ofFile(cause, name) : cause;
    }
  }

  /** Sequentially, so that the reported progress never decreases. */
  async function storeAll(
    owner: string,
    recordId: Types.ObjectId,
    files: readonly UploadedFile[],
    options: Parameters<Predicting['predict']>[4],
  ): Promise<RecordFile[]> {
    const { signal, onProgress } = options;
    const kept: RecordFile[] = [];
    for (const [file, uploaded] of files.entries()) {
      const { name } = uploaded;
      const report = (done: number, total: number) =>
        onProgress({ file, files: files.length, name, done, total });
      report(0, 1);
      const extracted = await read(uploaded, options, report);
      // Progress by page is sufficient; formats without pages report it here.
      const onShare = (share: number) => {
        if (extracted.pages === 1) report(Math.floor(share * 100), 100);
      };
      const stored = { ...uploaded, extracted };
      kept.push(await storeFile(owner, recordId, stored, { signal, onProgress: onShare }));
      signal.throwIfAborted();
    }
    return kept;
  }

  const isSame = (text: string, files: readonly UploadedFile[]) => async (record: RecordDocument) => {
    if (record.kind !== 'predict' || record.isSummary !== (text === '')) return false;
    if (text !== '' && record.question !== text) return false;
    const kept = await uploads.find({ recordId: record._id }, { blob: 1 }).lean();
    const hashes = new Map(kept.map(({ _id, blob }) => [_id, blob]));
    if (record.files.length !== files.length) return false;
    return record.files.every(({ id }, at) => hashes.get(id) === files[at]?.hash);
  };

  const predict: Predicting['predict'] = async (owner, language, question, files, options) => {
    const { clientId, text } = question;
    const same = isSame(text, files);
    const joined = clientId === undefined ? null : await asking.join(owner, clientId, same);
    if (joined) return joined;
    await check(owner, question);
    const recordId = unguessableId();
    await guests.ensureStored(owner);
    let isPut = false;
    try {
      const kept = await storeAll(owner, recordId, files, options);
      const put = { ...question, text: text || fileQuestion(kept, language) };
      const withFiles = { recordId, files: kept, isSummary: text === '' };
      // The user may have signed in during reading: the record belongs to the owner of the files.
      const asked = await asking.askWithFiles(await guests.ownerNow(owner), language, put, same, withFiles);
      isPut = asked.recordId === recordId.toHexString();
      return asked;
    } finally {
      if (!isPut) await deleteFiles.ofRecords([recordId]);
    }
  };

  return {
    /**
     * Reads and stores the files and creates the question; the answer starts immediately. Without `text` the
     * question is generated by `fileQuestion`. Atomic: an unreadable file, or an abort before the record
     * exists, leaves nothing behind. Repeating the same `clientId`, text and files joins the record.
     * @throws the errors of `Asking.ask` and of `Extractor.extract` (with the file's name), and AbortError.
     */
    async predict(
      owner: string,
      language: Language,
      question: ChatQuestion,
      files: readonly UploadedFile[],
      options: { signal: AbortSignal; onProgress(progress: ReadingProgress): void; caller?: string },
    ): Promise<Asked> {
      const signal = AbortSignal.any([options.signal, stopping.signal]);
      const work = predict(owner, language, question, files, { ...options, signal });
      running.add(work);
      try {
        return await work;
      } catch (cause) {
        throw stopping.signal.aborted ? new ApiError('unavailable') : cause;
      } finally {
        running.delete(work);
      }
    },

    /** Aborts reading in progress; resolves when nothing of it is left. */
    async stop(): Promise<void> {
      stopping.abort();
      await Promise.allSettled(running);
    },
  };
}

/** The question of files that were sent without one: it names the files. The answerer knows that nobody typed it. */
function fileQuestion(files: readonly Pick<RecordFile, 'name' | 'kind'>[], language: Language): string {
  const onlyImages = files.every(({ kind }) => kind === 'image');
  const names = listOf(files.map(({ name }) => textOf('file_name', { name })));
  return textOf(onlyImages ? 'what_in_pictures' : 'sum_up', { names })(language);
}
