import { type Model, Schema } from 'mongoose';
import type { BinEntry } from '../../contract/deletions.ts';
import { defineModel } from '../../store/define-model.ts';
import {
  type DocumentOf,
  defaultsOf,
  field,
  list,
  nullable,
  optional,
  part,
  required,
  withDefault,
} from '../../store/fields.ts';
import { leaseSchema } from '../../store/process-lease.ts';
import { type Moved, movedSchema } from '../contact-book/contact-undo.ts';

/**
 * A deletion. Inserting this document is the atomic decision: from then on the records it names are hidden
 * (see `hidden-records.ts`). Marking them one by one follows in slices, and any process can finish it.
 * `erasing` → `erased` → `restoring` → `restored`, or `erased` → `purging` → `purged`; an undo is also
 * possible while `erasing`.
 */
type DeletionState = 'erasing' | 'erased' | 'restoring' | 'restored' | 'purging' | 'purged';

const fields = {
  owner: required(String),
  /** Opaque token for the undo, valid only for its owner. */
  undoToken: required(String),
  state: required<DeletionState>(String),
  kind: required<Exclude<BinEntry['kind'], 'merge' | 'rename'>>(String),
  /** kind `conversation`: the deleted conversation. */
  conversationId: nullable(Schema.Types.ObjectId),
  /** kind `contact`, and optionally `date`. '' is the owner, null any contact. Cleared by a purge. */
  contactId: nullable(String),
  contactName: withDefault(''),
  /** kind `date`: the days as given, and the instants: from `since` to before `until`. */
  from: withDefault(''),
  to: withDefault(''),
  tz: withDefault(''),
  since: nullable(Date),
  until: nullable(Date),
  /** kinds `contact` and `date`: creation time of the latest record named. Later ones are not included. */
  upTo: nullable(Date),
  /** kind `selection`, and any with `isFixed`. Emptied by a purge. */
  ids: list(Schema.Types.ObjectId),
  /** Names `ids` only: after two owners were merged, it must not match records of the other. */
  isFixed: field<boolean, false>({ type: Boolean, default: false }),
  /** Deletions that were running when this one was decided: their records are excluded. */
  except: list(Schema.Types.ObjectId),
  /** Conversations and contacts to recalculate, set when its records are marked; emptied by a purge. */
  touched: nullable(part({ conversations: list(Schema.Types.ObjectId), contacts: list(String) })),
  /** Number of records named. */
  matched: withDefault(0),
  createdAt: required(Date),
  undoUntil: required(Date),
  /** What follows once its records are marked: null, `purge` by its owner, or `expire`. */
  ending: nullable<'purge' | 'expire'>(String),
  /** When it was undone, purged or expired. */
  turnedAt: nullable(Date),
  /** Keyed hashes of the contact and the search text, for the audit log; '' for none. */
  contactHash: withDefault(''),
  textHash: withDefault(''),
  /** The process that began to work on its state; null if none has. */
  lease: nullable(leaseSchema),
  /** Whether its records are being transferred to another owner; no process works on it meanwhile. */
  isMoving: withDefault(false),
  /** When this document is deleted; null while its records still exist. */
  forgetAt: nullable(Date),
  /** kind `contact`: the contacts it named before merges that can be undone. */
  moved: optional<Moved[]>([movedSchema]),
};

export type DeletionDocument = DocumentOf<typeof fields>;
export const deletionDefaults = () => defaultsOf(fields);

export const deletionModel = defineModel<DeletionDocument>('Deletion', 'erasures', fields);
deletionModel.schema.index({ undoToken: 1 }, { unique: true });
deletionModel.schema.index({ owner: 1, createdAt: -1, _id: -1 });
deletionModel.schema.index({ owner: 1, state: 1 });
deletionModel.schema.index({ state: 1, undoUntil: 1 });
deletionModel.schema.index({ forgetAt: 1 }, { expireAfterSeconds: 0 });

export type DeletionModel = Model<DeletionDocument>;
