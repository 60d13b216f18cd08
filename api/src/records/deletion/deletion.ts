import { type Model, Schema, type Types } from 'mongoose';
import type { BinEntry } from '../../contract/deletions.ts';
import { defineModel } from '../../store/define-model.ts';
import { type Lease, leaseSchema } from '../../store/process-lease.ts';
import { type Moved, movedSchema } from '../contact-book/contact-undo.ts';

/**
 * A deletion. Inserting this document is the atomic decision: from then on the records it names are hidden
 * (see `hidden-records.ts`). Marking them one by one follows in slices, and any process can finish it.
 * `erasing` → `erased` → `restoring` → `restored`, or `erased` → `purging` → `purged`; an undo is also
 * possible while `erasing`.
 */
type DeletionState = 'erasing' | 'erased' | 'restoring' | 'restored' | 'purging' | 'purged';

export interface DeletionDocument {
  _id: Types.ObjectId;
  owner: string;
  /** Opaque token for the undo, valid only for its owner. */
  undoToken: string;
  state: DeletionState;
  kind: Exclude<BinEntry['kind'], 'merge' | 'rename'>;
  /** kind `conversation`: the deleted conversation. */
  conversationId: Types.ObjectId | null;
  /** kind `contact`, and optionally `date`. '' is the owner, null any contact. Cleared by a purge. */
  contactId: string | null;
  contactName: string;
  /** kind `date`: the days as given, and the instants: from `since` to before `until`. */
  from: string;
  to: string;
  tz: string;
  since: Date | null;
  until: Date | null;
  /** kinds `contact` and `date`: creation time of the latest record named. Later ones are not included. */
  upTo: Date | null;
  /** kind `selection`, and any with `isFixed`. Emptied by a purge. */
  ids: Types.ObjectId[];
  /**
   * Names only `ids`, whatever its kind: after two owners were merged, records of the other one must not
   * match.
   */
  isFixed?: boolean;
  /** Deletions that were running when this one was decided: their records are excluded. */
  except: Types.ObjectId[];
  /**
   * Conversations and contacts of its records, set once these are marked: they are recalculated with them.
   * Emptied by a purge.
   */
  touched: { conversations: Types.ObjectId[]; contacts: string[] } | null;
  /** Number of records named. */
  matched: number;
  createdAt: Date;
  undoUntil: Date;
  /** What follows once its records are marked: null, `purge` by its owner, or `expire`. */
  ending: 'purge' | 'expire' | null;
  /** When it was undone, purged or expired. */
  turnedAt: Date | null;
  /** Keyed hashes of the contact and the search text, for the audit log; '' for none. */
  contactHash: string;
  textHash: string;
  /** The process that began to work on its state; null if none has. */
  lease: Lease | null;
  /** Whether its records are being transferred to another owner; no process works on it meanwhile. */
  isMoving: boolean;
  /** When this document is deleted; null while its records still exist. */
  forgetAt: Date | null;
  /** kind `contact`: the contacts it named before merges that can be undone. */
  moved?: Moved[];
}

const { schema, create } = defineModel<DeletionDocument>('Deletion', 'erasures', {
  owner: { type: String, required: true },
  undoToken: { type: String, required: true },
  state: { type: String, required: true },
  kind: { type: String, required: true },
  conversationId: { type: Schema.Types.ObjectId, default: null },
  contactId: { type: String, default: null },
  contactName: { type: String, default: '' },
  from: { type: String, default: '' },
  to: { type: String, default: '' },
  tz: { type: String, default: '' },
  since: { type: Date, default: null },
  until: { type: Date, default: null },
  upTo: { type: Date, default: null },
  ids: { type: [Schema.Types.ObjectId], default: [] },
  isFixed: { type: Boolean, default: false },
  except: { type: [Schema.Types.ObjectId], default: [] },
  touched: {
    type: new Schema(
      { conversations: [Schema.Types.ObjectId], contacts: [String] },
      { _id: false, id: false },
    ),
    default: null,
  },
  matched: { type: Number, default: 0 },
  createdAt: { type: Date, required: true },
  undoUntil: { type: Date, required: true },
  ending: { type: String, default: null },
  turnedAt: { type: Date, default: null },
  contactHash: { type: String, default: '' },
  textHash: { type: String, default: '' },
  lease: { type: leaseSchema, default: null },
  isMoving: { type: Boolean, default: false },
  forgetAt: { type: Date, default: null },
  moved: { type: [movedSchema], default: undefined },
});
schema.index({ undoToken: 1 }, { unique: true });
schema.index({ owner: 1, createdAt: -1, _id: -1 });
schema.index({ owner: 1, state: 1 });
schema.index({ state: 1, undoUntil: 1 });
schema.index({ forgetAt: 1 }, { expireAfterSeconds: 0 });

export type DeletionModel = Model<DeletionDocument>;
export const createDeletionModel = create;
