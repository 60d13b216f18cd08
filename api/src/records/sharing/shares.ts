import { Types } from 'mongoose';
import type { NewShare, Share, SharePage, ShareRequest, ShareState } from '../../contract/sharing.ts';
import { ApiError, notFound } from '../../errors/errors.ts';
import { type PageRequest, readPage } from '../../store/cursor.ts';
import { databaseDate, databaseNow } from '../../store/database-clock.ts';
import { randomToken } from '../../store/random-token.ts';
import { retryConflicts } from '../../store/retry-conflicts.ts';
import { unlessDuplicate } from '../../store/store-failure.ts';
import type { ConversationDocument } from '../conversation.ts';
import type { ConversationSummaries } from '../conversation-summaries.ts';
import type { HiddenRecords } from '../hidden-records.ts';
import type { RecordDocument } from '../record.ts';
import type { RecordModels } from '../record-models.ts';
import { chosenVersions, hashOf, type SharedEntry, toShare, withChosenVersions } from './share.ts';

type Shared = Pick<RecordDocument, '_id' | 'answeredAt' | 'status' | 'createdAt' | 'versionOf'>;

/** Maximum number of records of one link. */
const maxRecords = 2000;
const dayMs = 86_400_000;

/** Links of conversations, for their owner. Every method throws notFound('conversation') if the id is not one of the owner's. */
export function createShares(deps: {
  models: Pick<RecordModels, 'shares' | 'records' | 'conversations'>;
  hidden: HiddenRecords;
  summaries: Pick<ConversationSummaries, 'get' | 'adjustToVisible'>;
}) {
  const { models, hidden, summaries } = deps;
  const { shares, records, conversations } = models;

  /** What a link shows from now on. An answer in progress is not part of it. */
  async function content(
    conversation: ConversationDocument,
    { files = false, versions = false, shown = [] }: ShareRequest,
  ) {
    const { owner, _id } = conversation;
    const found: Shared[] = await records
      .find(
        { conversationId: _id, ...(await hidden.visible(owner)) },
        { answeredAt: 1, status: 1, createdAt: 1, versionOf: 1 },
      )
      .sort({ createdAt: -1, _id: -1 })
      .limit(maxRecords + 1)
      .lean();
    if (found.length > maxRecords) throw new ApiError('too_many_shared');
    found.reverse();
    // While the newest version is being answered, none of its question is shared: it replaces the one before.
    const entries = (versions ? found : chosenVersions(found, new Set(shown)))
      .filter(({ status }) => status !== 'answering')
      .map(({ _id: id, answeredAt }): SharedEntry => ({ id, answeredAt: answeredAt ?? null }));
    const title = chosenTitle(conversation, files);
    return { records: entries, title, files, versions, updatedAt: databaseDate() };
  }

  return {
    async find(owner: string, id: string): Promise<ShareState> {
      const { _id } = await summaries.get(owner, id);
      const share = await shares.findOne({ owner, conversationId: _id }).lean();
      const ofConversation = { conversationId: _id, ...(await hidden.visible(owner)) };
      const has = async (some: object) => (await records.exists({ ...ofConversation, ...some })) !== null;
      return {
        share: share && toShare(await withChosenVersions(models, share)),
        hasFiles: await has({ files: { $exists: true, $ne: [] } }),
        hasVersions: await has({ 'versionOf.createdAt': { $exists: true } }),
      };
    },

    /** All links of visible conversations, newest first. */
    async list(owner: string, request: PageRequest): Promise<SharePage> {
      const notHidden = await hidden.notHidden(owner);
      const { page, nextCursor } = await readPage(shares, 'createdAt', 'shares', request, { owner });
      const ids = page.map(({ conversationId }) => conversationId);
      const found = await conversations.find({ _id: { $in: ids }, owner, erasedBy: null }).lean();
      const visible = await summaries.adjustToVisible(owner, found, notHidden);
      const titles = new Map(visible.map(({ _id, title }) => [_id.toHexString(), title]));
      return {
        shares: page.flatMap((share) => {
          const conversationId = share.conversationId.toHexString();
          const title = titles.get(conversationId);
          return title === undefined ? [] : [{ conversationId, title, ...toShare(share) }];
        }),
        nextCursor,
      };
    },

    /** Creates a link, which replaces the previous one. @throws tooManyRecords above 2,000 */
    async create(owner: string, id: string, request: ShareRequest): Promise<NewShare> {
      const conversation = await summaries.get(owner, id);
      const token = randomToken();
      const about = await content(conversation, request);
      const which = { owner, conversationId: conversation._id };
      const expiresAt = endOf(request.days ?? null);
      const $set = { ...about, tokenHash: hashOf(token), createdAt: about.updatedAt, expiresAt };
      await retryConflicts(async () => {
        const $setOnInsert = { _id: new Types.ObjectId() };
        const written = shares.updateOne(which, { $set, $setOnInsert }, { upsert: true });
        // false: another request has just created one, which this one replaces.
        return (await unlessDuplicate(written)) || null;
      });
      return { ...toShare({ _id: conversation._id, ...which, ...$set }), token };
    },

    /** Shows what was added since. @throws notFound('share') without a link, tooManyRecords */
    async update(owner: string, id: string, request: ShareRequest): Promise<Share> {
      const conversation = await summaries.get(owner, id);
      const end = request.days === undefined ? {} : { expiresAt: endOf(request.days) };
      const $set = { ...(await content(conversation, request)), ...end };
      const updated = await shares
        .findOneAndUpdate({ owner, conversationId: conversation._id }, { $set }, { returnDocument: 'after' })
        .lean();
      if (!updated) throw notFound('share');
      return toShare(updated);
    },

    /** Ends the link immediately; does nothing if there is none. */
    async revoke(owner: string, id: string): Promise<void> {
      const { _id } = await summaries.get(owner, id);
      await shares.deleteOne({ owner, conversationId: _id });
    },
  };
}

function endOf(days: number | null): Date | null {
  return days === null ? null : new Date(databaseNow() + days * dayMs);
}

/**
 * Whether the title of an imported conversation was derived from a question is not stored, see
 * `ConversationDocument`. Such a title may name a file, so it is only used together with the files.
 */
function chosenTitle({ title, titleFrom }: ConversationDocument, files: boolean): string | null {
  return titleFrom === null || (titleFrom === undefined && files) ? title : null;
}
