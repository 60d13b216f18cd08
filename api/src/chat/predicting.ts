import type { Types } from 'mongoose';
import type { Guests } from '../accounts/guests.ts';
import type { ChatQuestion, FileKind, Language, ReadingProgress, RecordFile } from '../contract/contract.ts';
import { ApiError, notFound, ofFile, unavailable } from '../contract/errors.ts';
import type { Extracted, Extractor } from '../files/extraction/extractor.ts';
import type { ForgetFiles } from '../files/forget-files.ts';
import type { KeepFile } from '../files/keep-file.ts';
import type { UploadModel } from '../files/upload.ts';
import type { UploadedFile } from '../http/uploaded.ts';
import type { Contacts } from '../records/contacts.ts';
import type { ConversationStanding } from '../records/conversation-standing.ts';
import type { RecordDocument } from '../records/record.ts';
import { toObjectId, unguessableId } from '../store/object-id.ts';
import type { Asked, Asking } from './asking.ts';
import { fileQuestion } from './file-question.ts';

export interface Predicting {
  /**
   * Reads the files, keeps them and puts the question; the answer begins at once. Without `text` it is put in the words of `fileQuestion`. All
   * of it, or nothing: a file that cannot be read, or `signal` before the record is there, leaves nothing behind. The same `clientId` with
   * the same text and files joins the record.
   *
   * @throws what `Asking.ask` and `Extractor.extract` throw, the latter with the file's name; an AbortError.
   */
  predict(
    owner: string,
    language: Language,
    question: ChatQuestion,
    files: readonly UploadedFile[],
    options: { signal: AbortSignal; onProgress(progress: ReadingProgress): void; caller?: string },
  ): Promise<Asked>;
  /** Ends what is still being read; resolves when nothing of it is left. */
  stop(): Promise<void>;
}

export function createPredicting(deps: {
  extractor: Extractor;
  asking: Asking;
  keepFile: KeepFile;
  forgetFiles: ForgetFiles;
  uploads: UploadModel;
  contacts: Pick<Contacts, 'resolve'>;
  standing: Pick<ConversationStanding, 'find'>;
  guests: Pick<Guests, 'keep' | 'ownerNow'>;
}): Predicting {
  const { extractor, asking, keepFile, forgetFiles, uploads, contacts, standing, guests } = deps;
  const running = new Set<Promise<Asked>>();
  const stopping = new AbortController();

  /** What would be refused after the reading is refused before it. */
  async function check(owner: string, { conversationId, contact }: ChatQuestion): Promise<void> {
    if (
      conversationId !== undefined &&
      !(await standing.find(owner, toObjectId(conversationId, 'conversation')))
    )
      throw notFound('conversation');
    await contacts.resolve(owner, contact);
  }

  async function read(
    { path, name }: UploadedFile,
    { caller, signal }: { signal: AbortSignal; caller?: string },
    tell: (done: number, total: number) => void,
  ): Promise<Extracted> {
    try {
      return await extractor.extract(path, name, {
        ...(caller === undefined ? {} : { caller }),
        signal,
        onProgress: ({ done, total }) => tell(done, total),
      });
    } catch (cause) {
      signal.throwIfAborted();
      throw cause instanceof ApiError && cause.status < 500 ? ofFile(cause, name) : cause;
    }
  }

  /** One by one: what is told of how far it is never goes back. */
  async function keepAll(
    owner: string,
    recordId: Types.ObjectId,
    files: readonly UploadedFile[],
    options: Parameters<Predicting['predict']>[4],
  ): Promise<{ kept: RecordFile[]; named: { name: string; kind: FileKind }[] }> {
    const { signal, onProgress } = options;
    const kept: RecordFile[] = [];
    const named: { name: string; kind: FileKind }[] = [];
    for (const [file, uploaded] of files.entries()) {
      const { name } = uploaded;
      const tell = (done: number, total: number) =>
        onProgress({ file, files: files.length, name, done, total });
      tell(0, 1);
      const extracted = await read(uploaded, options, tell);
      // Pages are steps enough; what has none takes its time here.
      const onShare = (share: number) => {
        if (extracted.pages === 1) tell(Math.floor(share * 100), 100);
      };
      kept.push(await keepFile(owner, recordId, { ...uploaded, extracted }, { signal, onProgress: onShare }));
      named.push({ name, kind: extracted.kind });
      signal.throwIfAborted();
    }
    return { kept, named };
  }

  const isSame = (text: string, files: readonly UploadedFile[]) => async (record: RecordDocument) => {
    if (record.kind !== 'predict' || record.isSummary !== (text === '')) return false;
    if (text !== '' && record.question !== text) return false;
    const kept = await uploads.find({ recordId: record._id }, { blob: 1 }).lean();
    const hashes = new Map(kept.map(({ _id, blob }) => [_id, blob]));
    return (
      record.files.length === files.length &&
      record.files.every(({ id }, at) => hashes.get(id) === files[at]?.hash)
    );
  };

  const predict: Predicting['predict'] = async (owner, language, question, files, options) => {
    const { clientId, text } = question;
    const same = isSame(text, files);
    const joined = clientId === undefined ? null : await asking.join(owner, clientId, same);
    if (joined) return joined;
    await check(owner, question);
    const recordId = unguessableId();
    await guests.keep(owner);
    let isPut = false;
    try {
      const { kept, named } = await keepAll(owner, recordId, files, options);
      const put = { ...question, text: text || fileQuestion(named, language) };
      // Reading takes time enough to sign in: the record is put where the files went.
      const asked = await asking.askWithFiles(
        await guests.ownerNow(owner),
        language,
        put,
        { recordId, files: kept, isSummary: text === '' },
        same,
      );
      isPut = asked.recordId === recordId.toHexString();
      return asked;
    } finally {
      if (!isPut) await forgetFiles.ofRecords([recordId]);
    }
  };

  return {
    async predict(owner, language, question, files, options) {
      const signal = AbortSignal.any([options.signal, stopping.signal]);
      const work = predict(owner, language, question, files, { ...options, signal });
      running.add(work);
      try {
        return await work;
      } catch (cause) {
        throw stopping.signal.aborted ? unavailable() : cause;
      } finally {
        running.delete(work);
      }
    },

    async stop() {
      stopping.abort();
      await Promise.allSettled(running);
    },
  };
}
