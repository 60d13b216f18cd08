import type { OwnedCollection } from '../accounts/guests.ts';
import { userOwner } from '../accounts/guests.ts';
import type { Rights } from '../accounts/rights.ts';
import type { Responsibilities } from '../accounts/transfers.ts';
import type { HiddenRecords } from '../records/hidden-records.ts';
import type { RecordModel } from '../records/record.ts';
import type { RecordHandovers } from '../records/record-handovers.ts';
import { databaseDate } from '../store/database-clock.ts';
import { slicesById } from '../store/in-slices.ts';
import { unlessDuplicate } from '../store/store-failure.ts';
import {
  type HandoverDocument,
  type HandoverModel,
  handoversOf,
  toHandover,
  visibleHandovers,
} from './handover.ts';

/** Handovers per read of an export: each may be as large as a document can be. */
const exportSlice = 5;

/** Handovers of an owner. Handovers that a deleted account has taken as an agent are available again. */
export function ownedHandovers(handovers: HandoverModel): OwnedCollection {
  return {
    async updateMany(from, change) {
      if (await unlessDuplicate(handovers.updateMany(from, change))) return;
      // Both used the same client id. It is only needed to repeat a request, so the guest's is removed.
      await handovers.updateMany(from, { $unset: { clientId: 1 } });
      await handovers.updateMany(from, change);
    },
    async deleteMany({ owner }) {
      await handovers.deleteMany({ owner });
      await assign(handovers, owner, available);
      await handovers.updateMany({ agentId: owner }, { $set: available });
    },
  };
}

const available: Pick<HandoverDocument, 'agentId' | 'agentName'> = { agentId: null, agentName: '' };

/** Gives the open handovers that an agent has taken to another one, or to all. */
async function assign(handovers: HandoverModel, from: string, to: typeof available): Promise<void> {
  const $set = { ...to, updatedAt: databaseDate() };
  await handovers.updateMany({ agentId: from, isOpen: true }, { $set, $inc: { revision: 1 } });
}

/** The open handovers that accounts have taken. An account that may not answer people gets none: they are available to all agents again. */
export function takenHandovers(handovers: HandoverModel, rights: Pick<Rights, 'has'>): Responsibilities {
  return {
    count: (from) => handovers.countDocuments({ agentId: userOwner(from), isOpen: true }),
    transfer(from, to) {
      const agent = { agentId: userOwner(to._id), agentName: to.username };
      return assign(handovers, userOwner(from), rights.has(to, 'answer_people') ? agent : available);
    },
  };
}

export function handoversOfRecords(
  models: { handovers: HandoverModel; records: RecordModel },
  hidden: HiddenRecords,
): RecordHandovers {
  const { handovers, records } = models;
  return {
    async *all(owner) {
      const there = { owner, erasedBy: null };
      for await (const some of slicesById<HandoverDocument>(handovers, exportSlice, there))
        yield (await visibleHandovers({ records, hidden }, owner, some)).map(toHandover);
    },

    async ofConversation(owner, conversationId) {
      return (await handoversOf({ handovers, records, hidden }, owner, conversationId)).map(toHandover);
    },

    async unreadIn(owner) {
      const unread = await handovers
        .find({ owner, isUnread: true, erasedBy: null }, { conversationId: 1 })
        .lean();
      return new Set(unread.map(({ conversationId }) => conversationId.toHexString()));
    },
    async hide(erasedBy, recordIds) {
      const hiding = { $set: { erasedBy, updatedAt: databaseDate() }, $unset: { openIn: 1 } } as const;
      const shown = { recordId: { $in: recordIds }, erasedBy: null };
      await handovers.updateMany(shown, { ...hiding, $inc: { revision: 1 } });
    },
    async restore(erasedBy) {
      const fields = { isOpen: 1, conversationId: 1, updatedAt: 1 } as const;
      for (const { _id, isOpen, conversationId, updatedAt } of await handovers
        .find({ erasedBy }, fields)
        .lean()) {
        const shown = { erasedBy: null, updatedAt: databaseDate() };
        const restored = isOpen ? { ...shown, openIn: conversationId } : shown;
        const written = handovers.updateOne({ _id, erasedBy }, { $set: restored, $inc: { revision: 1 } });
        if (await unlessDuplicate(written)) continue;
        // The visitor has asked again in this conversation meanwhile. It was last open when it was hidden.
        const closed = { ...shown, isOpen: false, closedAt: updatedAt };
        await handovers.updateOne({ _id, erasedBy }, { $set: closed, $inc: { revision: 1 } });
      }
    },
    async remove(recordIds) {
      await handovers.deleteMany({ recordId: { $in: recordIds } });
    },
  };
}
