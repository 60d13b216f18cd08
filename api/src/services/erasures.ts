import { randomBytes } from 'node:crypto';
import { Types } from 'mongoose';
import type { Config } from '../config.ts';
import type { ConversationDeletion } from '../contract.ts';
import { expired, notFound, undoUsed } from '../errors.ts';
import type { ErasureDocument, ErasureState } from '../models/erasure.ts';
import type { Models } from '../models/models.ts';
import { toObjectId } from './object-id.ts';

const day = 86_400_000;
/** Days that the store remembers an erasure whose records are gone, so that its token is told to be too late. */
const rememberDays = 30;
/** Records erased for good in one go: other calls come in between. */
const slice = 500;

export interface Erasures {
  /** Hides a conversation and its records everywhere, until it is undone or its time is over. @throws notFound('conversation') */
  eraseConversation(owner: string, id: string): Promise<ConversationDeletion>;
  /** Brings back exactly what the deletion hid. Returns the number of records. @throws notFound, undoUsed, expired */
  undo(owner: string, undoToken: string): Promise<number>;
  /** Finishes what a crash cut short. */
  resume(): Promise<void>;
  /** Erases for good what can no longer be undone. */
  sweep(): Promise<void>;
}

export function createErasures(
  { erasures, records, conversations }: Models,
  { undoDays }: Pick<Config, 'undoDays'>,
): Erasures {
  /** The conversation first: from then on no new record gets into it (see asking.ts). */
  async function hide({ _id, owner, conversationId }: ErasureDocument): Promise<void> {
    await conversations.updateOne(
      { _id: conversationId, owner, erasedBy: null },
      { $set: { erasedBy: _id } },
    );
    await records.updateMany(
      { owner, conversationId, erasedBy: null },
      { $set: { erasedBy: _id, stopRequested: true } },
    );
    await advance(_id, 'erasing', 'erased');
  }

  async function restore({ _id, owner, conversationId }: ErasureDocument): Promise<number> {
    const restored = await records.updateMany(
      { owner, conversationId, erasedBy: _id },
      { $set: { erasedBy: null } },
    );
    await conversations.updateOne(
      { _id: conversationId, owner, erasedBy: _id },
      { $set: { erasedBy: null } },
    );
    await advance(_id, 'restoring', 'restored', { forgetAt: laterBy(rememberDays) });
    return restored.modifiedCount;
  }

  async function purge({ _id, owner, conversationId }: ErasureDocument): Promise<void> {
    for (;;) {
      const some = await records
        .find({ owner, conversationId, erasedBy: _id }, { _id: 1 })
        .limit(slice)
        .lean();
      if (some.length === 0) break;
      await records.deleteMany({ _id: { $in: some.map((record) => record._id) } });
    }
    await conversations.deleteOne({ _id: conversationId, owner, erasedBy: _id });
    await advance(_id, 'purging', 'purged', { forgetAt: laterBy(rememberDays) });
  }

  /** Moves an erasure on, unless somebody else did: false then. */
  async function advance(
    _id: Types.ObjectId,
    from: ErasureState,
    to: ErasureState,
    more: Partial<ErasureDocument> = {},
  ): Promise<boolean> {
    const moved = await erasures.updateOne({ _id, state: from }, { $set: { state: to, ...more } });
    return moved.modifiedCount === 1;
  }

  return {
    async eraseConversation(owner, id) {
      const conversationId = toObjectId(id, 'conversation');
      const there = await conversations
        .findOne({ _id: conversationId, owner, erasedBy: null }, { _id: 1 })
        .lean();
      if (!there) throw notFound('conversation');
      const matched = await records.countDocuments({ owner, conversationId, erasedBy: null });
      const erasure: ErasureDocument = {
        _id: new Types.ObjectId(),
        owner,
        undoToken: randomBytes(24).toString('base64url'),
        state: 'erasing',
        kind: 'conversation',
        conversationId,
        contactId: null,
        contactName: '',
        from: '',
        to: '',
        tz: '',
        since: null,
        until: null,
        ids: [],
        matched,
        createdAt: new Date(),
        undoUntil: laterBy(undoDays),
        forgetAt: null,
      };
      await erasures.create(erasure);
      await hide(erasure);
      const { undoToken, undoUntil } = erasure;
      return { matched, deleted: matched, undoToken, undoUntil: undoUntil.toISOString() };
    },

    async undo(owner, undoToken) {
      const erasure = await erasures.findOne({ undoToken, owner }).lean();
      if (!erasure) throw notFound('undo');
      if (erasure.state === 'restoring' || erasure.state === 'restored') throw undoUsed();
      if (erasure.undoUntil <= new Date() || erasure.state !== 'erased') throw expired();
      if (!(await advance(erasure._id, 'erased', 'restoring'))) throw undoUsed();
      return restore(erasure);
    },

    async resume() {
      const unfinished = await erasures.find({ state: { $in: ['erasing', 'restoring', 'purging'] } }).lean();
      for (const erasure of unfinished) {
        if (erasure.state === 'erasing') await hide(erasure);
        else if (erasure.state === 'restoring') await restore(erasure);
        else await purge(erasure);
      }
    },

    async sweep() {
      const over = await erasures
        .find({ state: 'erased', undoUntil: { $lt: new Date() } })
        .limit(1000)
        .lean();
      for (const erasure of over) {
        if (await advance(erasure._id, 'erased', 'purging')) await purge(erasure);
      }
    },
  };
}

function laterBy(days: number): Date {
  return new Date(Date.now() + days * day);
}
