import type { Types } from 'mongoose';
import type { Citation } from '../../contract/answers.ts';
import type { SharedConversation, SharedRecord } from '../../contract/sharing.ts';
import { notFound } from '../../errors/errors.ts';
import { inSlices } from '../../store/in-slices.ts';
import type { ConversationSummaries } from '../conversation-summaries.ts';
import { conversationTitle } from '../conversation-title.ts';
import type { HiddenRecords } from '../hidden-records.ts';
import type { RecordDocument } from '../record.ts';
import type { RecordModels } from '../record-models.ts';
import { withChosenVersions } from './chosen-versions.ts';
import type { ShareDocument, SharedEntry } from './share.ts';
import { hashOf } from './share-token.ts';

/** Ids of those passages that come from files of this owner; the other passages belong to everybody. */
export type FindOwnPassages = (owner: string, ids: readonly string[]) => Promise<ReadonlySet<string>>;

/**
 * Reads conversations by the token of their link. Both methods throw the same notFound('share') for an unknown
 * link, a revoked one, and one whose conversation was deleted.
 */
export interface SharedConversations {
  read(token: string, from: number): Promise<SharedConversation>;
  /** Owner and id of a shared file. @throws notFound('file') for a file that is not shared. */
  file(token: string, file: string): Promise<{ owner: string; id: string }>;
}

/** Records per page. */
const slice = 50;
const passagePath = '/api/passages/';

type VisibleRecord = Pick<
  RecordDocument,
  | '_id'
  | 'versionOf'
  | 'question'
  | 'answer'
  | 'status'
  | 'citations'
  | 'files'
  | 'isSummary'
  | 'createdAt'
  | 'answeredAt'
>;
const fields = {
  question: 1,
  answer: 1,
  status: 1,
  'citations.title': 1,
  'citations.quote': 1,
  'citations.href': 1,
  files: 1,
  isSummary: 1,
  createdAt: 1,
  answeredAt: 1,
  versionOf: 1,
} as const;

export function createSharedConversations(deps: {
  models: Pick<RecordModels, 'shares' | 'records'>;
  hidden: HiddenRecords;
  summaries: Pick<ConversationSummaries, 'find'>;
  findOwnPassages: FindOwnPassages;
}): SharedConversations {
  const { models, hidden, summaries, findOwnPassages } = deps;
  const { shares, records } = models;

  async function shareOf(token: string): Promise<ShareDocument> {
    const share = await shares.findOne({ tokenHash: hashOf(token) }).lean();
    if (!share || !(await summaries.find(share.owner, share.conversationId))) throw notFound('share');
    return withChosenVersions(models, share);
  }

  /** The condition of those of these records that are visible. */
  async function visibleOf({ owner, conversationId }: ShareDocument, ids: readonly Types.ObjectId[]) {
    return { _id: { $in: ids }, conversationId, ...(await hidden.visible(owner)) };
  }

  async function visible(share: ShareDocument, entries: readonly SharedEntry[]) {
    const condition = await visibleOf(
      share,
      entries.map(({ id }) => id),
    );
    const found = await records.find(condition, fields).lean<VisibleRecord[]>();
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

  async function privatePassages({ owner }: ShareDocument, some: Iterable<VisibleRecord>) {
    const ids = [...some].flatMap(({ citations }) => citations.map(({ href }) => passageOf(href)));
    return ids.length > 0 ? findOwnPassages(owner, [...new Set(ids)]) : new Set<string>();
  }

  return {
    async read(token, from) {
      const share = await shareOf(token);
      const title = await titleOf(share);
      const shown: SharedRecord[] = [];
      let at = from;
      while (shown.length === 0 && at < share.records.length) {
        const entries = share.records.slice(at, at + slice);
        const found = await visible(share, entries);
        const own = share.files ? new Set<string>() : await privatePassages(share, found.values());
        for (const [index, entry] of entries.entries()) {
          const record = found.get(entry.id.toHexString());
          if (record) shown.push(toSharedRecord(record, { share, entry, position: at + index, own }));
        }
        at += entries.length;
      }
      return {
        title,
        updatedAt: share.updatedAt.toISOString(),
        records: shown,
        next: at < share.records.length ? at : null,
      };
    },

    async file(token, name) {
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
  return isSummary && files.length > 0 && !share.files ? '' : question;
}

function toSharedRecord(
  record: VisibleRecord,
  of: { share: ShareDocument; entry: SharedEntry; position: number; own: ReadonlySet<string> },
): SharedRecord {
  const { share, entry, position, own } = of;
  const { status, answer, citations, files = [], createdAt, answeredAt } = record;
  const isOwn = ({ title, href }: Pick<Citation, 'title' | 'href'>) =>
    own.has(passageOf(href)) || (!share.files && files.some(({ name }) => name === title));
  const isSame =
    status !== 'answering' && (answeredAt?.getTime() ?? null) === (entry.answeredAt?.getTime() ?? null);
  return {
    question: questionOf(record, share),
    answer: isSame ? answer : null,
    status: isSame ? status : 'done',
    ...(share.versions && record.versionOf ? { version: record.versionOf.number } : {}),
    citations: isSame
      ? citations.map(({ title, quote, href }) => (isOwn({ title, href }) ? null : { title, quote }))
      : [],
    files: share.files
      ? files.map(({ name, kind, pages }, index) => ({ id: `${position}-${index}`, name, kind, pages }))
      : [],
    hiddenFiles: share.files ? 0 : files.length,
    createdAt: createdAt.toISOString(),
  };
}
