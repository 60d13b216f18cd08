import { markDoubts, shownCitations } from '../../answers/extract/mark-doubts.ts';
import { plainName } from '../../answers/extract/quoted-words.ts';
import type { Citation } from '../../contract/answers.ts';
import type { RecordFile } from '../../contract/records.ts';
import type { SharedConversation, SharedRecord } from '../../contract/sharing.ts';
import { notFound } from '../../errors/errors.ts';
import { databaseNow } from '../../store/database-clock.ts';
import { inSlices } from '../../store/in-slices.ts';
import { conversationTitle } from '../conversation.ts';
import type { ConversationSummaries } from '../conversation-summaries.ts';
import type { HiddenRecords } from '../hidden-records.ts';
import type { RecordDocument } from '../record.ts';
import type { RecordModels } from '../record-models.ts';
import { hashOf, type ShareDocument, type SharedEntry, withChosenVersions } from './share.ts';

/** Ids of those passages that belong to the shared knowledge base. */
export type FindSharedPassages = (ids: readonly string[]) => Promise<ReadonlySet<string>>;

/** Records per page. */
const slice = 50;
const passagePath = '/api/passages/';

/** A title that is the name of a file. */
const extension = /\.[^.\s]{1,8}$/;

/** Shown records, without the longest of the fields that are not. */
const withoutReasoning = { reasoning: 0 } as const;
type VisibleRecord = Omit<RecordDocument, 'reasoning'>;

/**
 * Reads conversations by the token of their link. Both methods throw the same notFound('share') for an unknown
 * link, a revoked one, and one whose conversation was deleted.
 */
export function createSharedConversations(deps: {
  models: Pick<RecordModels, 'shares' | 'records'>;
  hidden: HiddenRecords;
  summaries: Pick<ConversationSummaries, 'find'>;
  findSharedPassages: FindSharedPassages;
}) {
  const { models, hidden, summaries, findSharedPassages } = deps;
  const { shares, records } = models;

  async function shareOf(token: string): Promise<ShareDocument> {
    const share = await shares.findOne({ tokenHash: hashOf(token) }).lean();
    const isOver = share?.expiresAt && share.expiresAt.getTime() <= databaseNow();
    if (!share || isOver || !(await summaries.find(share.owner, share.conversationId)))
      throw notFound('share');
    return withChosenVersions(models, share);
  }

  async function visible(share: ShareDocument, entries: readonly SharedEntry[]) {
    const { owner, conversationId } = share;
    const _id = { $in: entries.map(({ id }) => id) };
    const condition = { _id, conversationId, ...(await hidden.visible(owner)) };
    const all = await records.find(condition, withoutReasoning).lean<VisibleRecord[]>();
    // Anyone may have the link.
    const found = await hidden.shownTo('', all);
    return new Map(found.map((record) => [record._id.toHexString(), record]));
  }

  /** @throws notFound('share') if none of its records is visible. */
  async function titleOf(share: ShareDocument): Promise<string> {
    for (const entries of inSlices(share.records, slice)) {
      const found = await visible(share, entries);
      const first = entries.find(({ id }) => found.has(id.toHexString()));
      if (!first) continue;
      return share.title ?? conversationTitle(questionOf(found.get(first.id.toHexString())!, share));
    }
    throw notFound('share');
  }

  /**
   * Whether a citation may be shown without the files. Records of earlier versions do not say whether theirs are
   * private: these citations are hidden unless their passage is found in the shared knowledge base, since the
   * passages of a file are deleted with the record that it was sent with.
   */
  async function publicCitations(some: Iterable<VisibleRecord>): Promise<(citation: Citation) => boolean> {
    const unknown = [...some].flatMap(({ citations }) =>
      citations.filter(({ isPrivate }) => isPrivate === undefined).map(({ href }) => passageOf(href)),
    );
    const shared = unknown.length > 0 ? await findSharedPassages([...new Set(unknown)]) : new Set<string>();
    return ({ isPrivate, href }) => (isPrivate === undefined ? shared.has(passageOf(href)) : !isPrivate);
  }

  return {
    async read(token: string, from: number): Promise<SharedConversation> {
      const share = await shareOf(token);
      const title = await titleOf(share);
      const shown: SharedRecord[] = [];
      let at = from;
      while (shown.length === 0 && at < share.records.length) {
        const entries = share.records.slice(at, at + slice);
        const found = await visible(share, entries);
        const isPublic = share.files ? () => true : await publicCitations(found.values());
        for (const [index, entry] of entries.entries()) {
          const record = found.get(entry.id.toHexString());
          if (record) shown.push(toSharedRecord(record, share, entry, at + index, isPublic));
        }
        at += entries.length;
      }
      const next = at < share.records.length ? at : null;
      return { title, updatedAt: share.updatedAt.toISOString(), records: shown, next };
    },

    /** Owner and id of a shared file. @throws notFound('file') for a file that is not shared. */
    async file(token: string, name: string): Promise<{ owner: string; id: string }> {
      const share = await shareOf(token);
      const [, position, index] = /^(\d{1,6})-(\d{1,3})$/.exec(name) ?? [];
      const entry = share.records[Number(position)];
      if (!share.files || !entry) throw notFound('file');
      const record = (await visible(share, [entry])).get(entry.id.toHexString());
      const file = record?.files[Number(index)];
      if (!file) throw notFound('file');
      return { owner: share.owner, id: file.id };
    },
  };
}

function passageOf(href: string): string {
  return href.startsWith(passagePath) ? href.slice(passagePath.length) : '';
}

/** A question that was generated from the names of files is omitted with them. */
function questionOf(
  { question, isSummary, files = [] }: Pick<VisibleRecord, 'question' | 'isSummary' | 'files'>,
  share: ShareDocument,
): string {
  if (share.files) return question;
  return isSummary ? '' : withoutNames(question, files, []);
}

function toSharedRecord(
  record: VisibleRecord,
  share: ShareDocument,
  { answeredAt: sharedAt }: SharedEntry,
  position: number,
  isPublic: (citation: Citation) => boolean,
): SharedRecord {
  const { status, citations, files = [], createdAt, answeredAt } = record;
  const hidden = citations.filter((citation) => !isPublic(citation));
  const isSame = status !== 'answering' && (answeredAt?.getTime() ?? null) === (sharedAt?.getTime() ?? null);
  const answer = markDoubts(record.answer, record.doubts, '[0]');
  return {
    question: questionOf(record, share),
    answer: isSame ? (share.files ? answer : withoutNames(answer, files, hidden)) : null,
    status: isSame ? status : 'done',
    ...(share.versions && record.versionOf ? { version: record.versionOf.number } : {}),
    citations: (isSame ? shownCitations(record) : []).map(({ n, ...citation }) => {
      const { title, quote } = citation;
      return { n, source: isPublic(citation) ? { title, quote } : null };
    }),
    files: share.files
      ? files.map(({ name, kind, pages }, index) => ({ id: `${position}-${index}`, name, kind, pages }))
      : [],
    hiddenFiles: share.files ? 0 : files.length,
    createdAt: createdAt.toISOString(),
  };
}

/** Without the names of hidden files, which answers repeat, and titles that begin their summaries. */
function withoutNames(
  text: string,
  files: readonly Pick<RecordFile, 'name'>[],
  hidden: readonly Pick<Citation, 'title'>[],
): string {
  const titles = hidden.map(({ title }) => title);
  const names = [...files.map(({ name }) => name), ...titles.filter((title) => extension.test(title))];
  const written = [
    ...titles.flatMap((title) => [`**${plainName(title)}**`, `— ${plainName(title)}`]),
    ...names.flatMap((name) => [name, plainName(name)]),
  ].filter((words) => words !== '');
  return written
    .sort((a, b) => b.length - a.length)
    .reduce((rest, words) => rest.replaceAll(words, '…'), text);
}
