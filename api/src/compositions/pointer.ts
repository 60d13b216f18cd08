import { type Connection, type Model, Schema } from 'mongoose';
import type { MoveKind, PromotedFrom } from '../contract/compositions.ts';

/**
 * Names the live composition, and the canary that some visitors already see. Moved by compare-and-set on
 * `revision`, which increases by one with every move. Each environment has one.
 */
export interface Pointer {
  /** See `pointerId`. */
  _id: string;
  composition: string;
  /** The most recent different composition that was live before; null at first. */
  previous: string | null;
  revision: number;
  movedAt: Date;
  canary: PointerCanary | null;
  /** The move that led to `revision`, so that the history can be completed after a crash. */
  last: PointerMove;
}

/** What a move changes: a pointer without its id. */
export type PointerState = Omit<Pointer, '_id'>;

export interface PointerCanary {
  composition: string;
  /** Percentage of visitors. */
  share: number;
  author: string;
  reason: string;
  startedAt: Date;
  /** Set if the canary was halted automatically. */
  halted: { at: Date; reason: string } | null;
}

export interface PointerMove {
  kind: MoveKind;
  author: string;
  reason: string;
  /** The composition that was live before. */
  from: string | null;
  /** The canary concerned. */
  canary: string | null;
  share: number | null;
  promotedFrom?: PromotedFrom;
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
export const promotedFromSchema = new Schema<PromotedFrom>(
  { environment: text, server: String, composition: text, revision: { type: Number, required: true } },
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
    promotedFrom: { type: promotedFromSchema, default: undefined },
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

/** Model of pointers on this connection. */
export function pointerModel(connection: Connection): Model<Pointer> {
  return (connection.models.Pointer as Model<Pointer>) ?? connection.model('Pointer', pointerSchema);
}
