import { type Connection, type Model, Schema, type Types } from 'mongoose';
import type { BinEntry } from '../contract.ts';

/**
 * A deletion, which is one decision: inserting this document. From then on what it names is hidden (see `hidden-records.ts`); marking
 * the records one by one comes after, in slices, and is finished at the next start if it was cut short.
 * `erasing` → `erased` → `restoring` → `restored`, or `erased` → `purging` → `purged`; an undo may also come while `erasing`.
 */
export type ErasureState = 'erasing' | 'erased' | 'restoring' | 'restored' | 'purging' | 'purged';

export interface ErasureDocument {
  _id: Types.ObjectId;
  owner: string;
  /** What brings it back; opaque, and of use to its owner alone. */
  undoToken: string;
  state: ErasureState;
  kind: BinEntry['kind'];
  /** kind `conversation`: the one that goes as a whole. */
  conversationId: Types.ObjectId | null;
  /** kind `contact`, and `date` where one was named. '' is oneself, null any. Gone once it is purged. */
  contactId: string | null;
  contactName: string;
  /** kind `date`: the days as they were given, and the instants they mean: from `since` to before `until`. */
  from: string;
  to: string;
  tz: string;
  since: Date | null;
  until: Date | null;
  /** kind `selection`. Emptied once it is purged. */
  ids: Types.ObjectId[];
  /** Records that it named. */
  matched: number;
  /** Records that were asked later are not meant. */
  createdAt: Date;
  undoUntil: Date;
  /** When the store forgets that there was an erasure; null while its records are still there. */
  forgetAt: Date | null;
}

const schema = new Schema<ErasureDocument>(
  {
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
    ids: { type: [Schema.Types.ObjectId], default: [] },
    matched: { type: Number, default: 0 },
    createdAt: { type: Date, required: true },
    undoUntil: { type: Date, required: true },
    forgetAt: { type: Date, default: null },
  },
  { collection: 'erasures', versionKey: false, autoIndex: false, autoCreate: false },
);
schema.index({ undoToken: 1 }, { unique: true });
schema.index({ owner: 1, createdAt: -1, _id: -1 });
schema.index({ owner: 1, state: 1 });
schema.index({ state: 1, undoUntil: 1 });
schema.index({ forgetAt: 1 }, { expireAfterSeconds: 0 });

export type ErasureModel = Model<ErasureDocument>;

export function createErasureModel(connection: Connection): ErasureModel {
  return connection.model<ErasureDocument>('Erasure', schema);
}
