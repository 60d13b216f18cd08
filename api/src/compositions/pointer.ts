import { type Connection, type Model, Schema } from 'mongoose';
import type { MoveKind } from '../contract/contract.ts';

/**
 * Says which composition is live, and which one some visitors see already. Moved by compare-and-set on `revision`, which grows by
 * one with every move. One store is one environment.
 */
export interface Pointer {
  _id: 'live';
  composition: string;
  /** The last composition before that was another one; null at first. */
  previous: string | null;
  revision: number;
  movedAt: Date;
  canary: PointerCanary | null;
  /** What the move to `revision` was, so that the history can be completed after a crash. */
  last: PointerMove;
}

export interface PointerCanary {
  composition: string;
  /** Percent of visitors. */
  share: number;
  author: string;
  reason: string;
  startedAt: Date;
  /** Set when it stopped by itself. */
  halted: { at: Date; reason: string } | null;
}

export interface PointerMove {
  kind: MoveKind;
  author: string;
  reason: string;
  /** Live before. */
  from: string | null;
  /** The canary that it is about. */
  canary: string | null;
  share: number | null;
}

const text = { type: String, required: true };
const textOrEmpty = { type: String, default: '' };
const textOrNull = { type: String, default: null };
const date = { type: Date, required: true };
const part = { _id: false };

const halted = new Schema({ at: date, reason: textOrEmpty }, part);
const canary = new Schema<PointerCanary>(
  {
    composition: text,
    share: { type: Number, required: true },
    author: textOrEmpty,
    reason: textOrEmpty,
    startedAt: date,
    halted: { type: halted, default: null },
  },
  part,
);
const last = new Schema<PointerMove>(
  {
    kind: text,
    author: textOrEmpty,
    reason: textOrEmpty,
    from: textOrNull,
    canary: textOrNull,
    share: { type: Number, default: null },
  },
  part,
);

const pointerSchema = new Schema<Pointer>(
  {
    _id: { type: String, required: true },
    composition: text,
    previous: textOrNull,
    revision: { type: Number, required: true },
    movedAt: date,
    canary: { type: canary, default: null },
    last: { type: last },
  },
  { collection: 'pointers', versionKey: false, autoIndex: false, autoCreate: false },
);

/** The pointers of this connection's database. */
export function pointerModel(connection: Connection): Model<Pointer> {
  return (connection.models.Pointer as Model<Pointer>) ?? connection.model('Pointer', pointerSchema);
}
