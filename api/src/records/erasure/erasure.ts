import { type Connection, type Model, Schema, type Types } from 'mongoose';
import type { BinEntry } from '../../contract/contract.ts';
import { type Lease, leaseSchema } from '../../store/lease.ts';

/**
 * A deletion, which is one decision: inserting this document. From then on what it names is hidden (see `hidden-records.ts`); marking
 * the records one by one comes after, in slices, and is finished by whichever process is there if it was cut short.
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
  /** kinds `contact` and `date`: when the latest record that it named was asked. Later ones are not meant. */
  upTo: Date | null;
  /** kind `selection`, and any that is `isFixed`. Emptied once it is purged. */
  ids: Types.ObjectId[];
  /** It names `ids` alone, whatever its kind: two owners became one, and what was the other's was never meant. */
  isFixed?: boolean;
  /** Deletions that were under way when this one was decided: what they name was not there any more. */
  except: Types.ObjectId[];
  /** What its records belong to, once they are marked: what is to be made anew with them. Emptied once it is purged. */
  touched: { conversations: Types.ObjectId[]; contacts: string[] } | null;
  /** Records that it named. */
  matched: number;
  createdAt: Date;
  undoUntil: Date;
  /** What is to become of it once its records are marked: null, `purge` by its owner, or `expire`. */
  ending: 'purge' | 'expire' | null;
  /** When it was undone, purged or expired. */
  turnedAt: Date | null;
  /** Keyed hashes of the contact and the words that were deleted by, for the audit; '' for none. */
  contactHash: string;
  textHash: string;
  /** The process that is at it; another one takes over when that is gone. */
  lease: Lease | null;
  /** Its records are being given to another owner: nobody is at it meanwhile. */
  isMoving: boolean;
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
