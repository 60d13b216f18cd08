import { type Connection, type Model, Schema } from 'mongoose';
import type { MoveKind, PromotedFrom } from '../../contract/compositions.ts';
import type { ChangedBy } from './changed-by.ts';

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
  /** Oldest first; no two change the same part. */
  canaries: PointerCanary[];
  /** What visitors get who are in several canaries. */
  mixes: CanaryMix[];
  /** Nothing else may go live until then; null if there is none. It ends by itself. */
  freeze: Freeze | null;
  /** Parts whose live release must not change. */
  pins: Pin[];
  /** How long the live composition is watched; null if it is not. */
  watch: LiveWatchState | null;
  /** The move that led to `revision`, so that the history can be completed after a crash. */
  last: PointerMove;
}

/** What a move changes: a pointer without its id. */
export type PointerState = Omit<Pointer, '_id'>;

export interface PointerCanary {
  /** The composition that it started with. Stays the same when another canary goes live. */
  id: string;
  /** The live composition with the changes of this canary. */
  composition: string;
  /** Percentage of visitors. */
  share: number;
  author: string;
  reason: string;
  /** Identifies its statistics: unique within the pointer, and new when a halted canary is restarted. */
  startedAt: Date;
  /** Set if the canary was halted automatically. */
  halted: { at: Date; reason: string } | null;
  /** How its share increases automatically; null if only operators change it. */
  plan: CanaryPlan | null;
  /** Set while it keeps its share. */
  paused: { at: Date; author: string; reason: string } | null;
}

export interface Freeze {
  until: Date;
  at: Date;
  author: string;
  reason: string;
}

/** While it lasts, the live composition is rolled back if it fails as a canary would be halted. */
export interface LiveWatchState {
  /** Identifies its statistics, like that of a canary. */
  startedAt: Date;
  until: Date;
  /** The composition that was live before, with which it is compared. */
  from: string;
}

export interface Pin {
  /** Name of the remote, or `host`. */
  part: string;
  at: Date;
  author: string;
  reason: string;
}

export interface CanaryPlan {
  /** Shares in increasing order. 100 makes the canary live. */
  steps: number[];
  /** Minimum duration of a step, in ms. */
  everyMs: number;
  /** Minimum number of pages that must have loaded each changed release during a step. */
  minPages: number;
  /** When the current step began. */
  since: Date;
  /** Pages that had loaded each changed release before the current step. Missing means 0. */
  pagesBefore?: Record<string, number>;
}

export interface CanaryMix {
  /** Ids of two or more canaries, in the order of the pointer. */
  canaries: string[];
  composition: string;
}

export interface PointerMove extends Partial<ChangedBy> {
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
const paused = new Schema({ at: date, author: textOrEmpty, reason: textOrEmpty }, part);
const plan = new Schema<CanaryPlan>(
  {
    steps: { type: [Number], required: true },
    everyMs: { type: Number, required: true },
    minPages: { type: Number, required: true },
    since: date,
    pagesBefore: Schema.Types.Mixed,
  },
  part,
);
const canary = new Schema<PointerCanary>(
  {
    id: text,
    composition: text,
    share: { type: Number, required: true },
    author: textOrEmpty,
    reason: textOrEmpty,
    startedAt: date,
    halted: { type: halted, default: null },
    plan: { type: plan, default: null },
    paused: { type: paused, default: null },
  },
  { ...part, id: false },
);
export const promotedFromSchema = new Schema<PromotedFrom>(
  { environment: text, server: String, composition: text, revision: { type: Number, required: true } },
  part,
);
const mix = new Schema<CanaryMix>({ canaries: { type: [String], required: true }, composition: text }, part);
const freeze = new Schema<Freeze>({ until: date, at: date, author: text, reason: text }, part);
const watch = new Schema<LiveWatchState>({ startedAt: date, until: date, from: text }, part);
const pin = new Schema<Pin>({ part: text, at: date, author: text, reason: text }, part);
const last = new Schema<PointerMove>(
  {
    kind: text,
    author: textOrEmpty,
    reason: textOrEmpty,
    from: textOrNull,
    canary: textOrNull,
    share: { type: Number, default: null },
    promotedFrom: { type: promotedFromSchema, default: undefined },
    token: String,
    approvedBy: String,
    change: String,
  },
  part,
);

const pointerSchema = new Schema<Pointer & { canary: null }>(
  {
    _id: { type: String, required: true },
    composition: text,
    previous: textOrNull,
    revision: { type: Number, required: true },
    movedAt: date,
    // Earlier versions stored their only canary here.
    canary: { type: Schema.Types.Mixed, default: null },
    canaries: [canary],
    mixes: [mix],
    freeze: { type: freeze, default: null },
    pins: [pin],
    watch: { type: watch, default: null },
    last: { type: last },
  },
  { collection: 'pointers', versionKey: false, autoIndex: false, autoCreate: false },
);

/** Model of pointers on this connection. */
export function pointerModel(connection: Connection): Model<Pointer> {
  return (connection.models.Pointer as Model<Pointer>) ?? connection.model('Pointer', pointerSchema);
}
