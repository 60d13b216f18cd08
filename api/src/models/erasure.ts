import { type Connection, type Model, Schema, type Types } from 'mongoose';

/**
 * A deletion, which is one decision: inserting this document. Marking what it names comes after and is finished at the next
 * start if it was cut short. `erasing` → `erased` → `restoring` → `restored`, or `erased` → `purging` → `purged`.
 */
export type ErasureState = 'erasing' | 'erased' | 'restoring' | 'restored' | 'purging' | 'purged';

export interface ErasureDocument {
  _id: Types.ObjectId;
  owner: string;
  /** What brings it back; opaque, and of use to its owner alone. */
  undoToken: string;
  state: ErasureState;
  kind: 'conversation';
  /** The conversation that goes as a whole. */
  conversationId: Types.ObjectId;
  /** Records that it named. */
  matched: number;
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
    conversationId: { type: Schema.Types.ObjectId, required: true },
    matched: { type: Number, default: 0 },
    createdAt: { type: Date, required: true },
    undoUntil: { type: Date, required: true },
    forgetAt: { type: Date, default: null },
  },
  { collection: 'erasures', versionKey: false, autoIndex: false, autoCreate: false },
);
schema.index({ undoToken: 1 }, { unique: true });
schema.index({ owner: 1, createdAt: -1 });
schema.index({ state: 1, undoUntil: 1 });
schema.index({ forgetAt: 1 }, { expireAfterSeconds: 0 });

export type ErasureModel = Model<ErasureDocument>;

export function createErasureModel(connection: Connection): ErasureModel {
  return connection.model<ErasureDocument>('Erasure', schema);
}
