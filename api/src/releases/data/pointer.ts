import { Schema } from 'mongoose';
import type { MoveKind, PromotedFrom } from '../../contract/compositions.ts';
import { ApiError } from '../../errors/errors.ts';
import { defineModel } from '../../store/define-model.ts';
import {
  type DocumentOf,
  field,
  list,
  nullable,
  optional,
  type Part,
  part,
  required,
  withDefault,
} from '../../store/fields.ts';
import { defineModelOfEnvironments } from './environment.ts';

const date = required(Date);

const plan = part({
  /** Shares in increasing order. 100 makes the canary live. */
  steps: field<number[]>({ type: [Number], required: true }),
  /** Minimum duration of a step, in ms. */
  everyMs: required(Number),
  /** Minimum number of pages that must have loaded each changed release during a step. */
  minPages: required(Number),
  /** When the current step began. */
  since: date,
  /** Pages that had loaded each changed release before the current step. Missing means 0. */
  pagesBefore: optional<Record<string, number>>(Schema.Types.Mixed),
});
export type CanaryPlan = Part<typeof plan>;

const canary = part({
  /** The composition that it started with. Stays the same when another canary goes live. */
  id: required(String),
  /** The live composition with the changes of this canary. */
  composition: required(String),
  /** Percentage of visitors. */
  share: required(Number),
  author: withDefault(''),
  reason: withDefault(''),
  /** Identifies its statistics: unique within the pointer, and new when a halted canary is restarted. */
  startedAt: date,
  /** Set if the canary was halted automatically. */
  halted: nullable(part({ at: date, reason: withDefault('') })),
  /** How its share increases automatically; null if only operators change it. */
  plan: nullable(plan),
  /** Set while it keeps its share. */
  paused: nullable(part({ at: date, author: withDefault(''), reason: withDefault('') })),
});
export type PointerCanary = Part<typeof canary>;

const mix = part({
  /** Ids of two or more canaries, in the order of the pointer. */
  canaries: field<string[]>({ type: [String], required: true }),
  composition: required(String),
});
export type CanaryMix = Part<typeof mix>;

const freeze = part({ until: date, at: date, author: required(String), reason: required(String) });
export type Freeze = Part<typeof freeze>;

const watch = part({
  /** Identifies its statistics, like that of a canary. */
  startedAt: date,
  until: date,
  /** The composition that was live before, with which it is compared. */
  from: required(String),
});
/** While it lasts, the live composition is rolled back if it fails as a canary would be halted. */
export type LiveWatchState = Part<typeof watch>;

const pin = part({
  /** Name of the remote, or `host`. */
  part: required(String),
  at: date,
  author: required(String),
  reason: required(String),
});
export type Pin = Part<typeof pin>;

const promotedFrom = part({
  environment: required(String),
  server: optional(String),
  composition: required(String),
  revision: required(Number),
});

const moveFields = {
  kind: required<MoveKind>(String),
  author: withDefault(''),
  reason: withDefault(''),
  /** The composition that was live before. */
  from: nullable(String),
  /** The canary concerned. */
  canary: nullable(String),
  share: nullable(Number),
  promotedFrom: optional<PromotedFrom>(promotedFrom),
  /** As in `ChangedBy`. */
  token: optional(String),
  approvedBy: optional(String),
  change: optional(String),
};
const last = part(moveFields);
export type PointerMove = Part<typeof last>;

const fields = {
  /** See `pointerId`. */
  _id: required(String),
  composition: required(String),
  /** The most recent different composition that was live before; null at first. */
  previous: nullable(String),
  revision: required(Number),
  movedAt: date,
  /** Oldest first; no two change the same part. */
  canaries: list(canary),
  /** The compositions of visitors who are in several canaries. */
  mixes: list(mix),
  /** Nothing else may go live until then; null if there is none. It ends by itself. */
  freeze: nullable(freeze),
  /** Parts whose live release must not change. */
  pins: list(pin),
  /** How long the live composition is watched; null if it is not. */
  watch: nullable(watch),
  /** The move that led to `revision`, so that the history can be completed after a crash. */
  last: field<PointerMove>({ type: last }),
};

/** The live composition and its canaries. A move compares and increments `revision`. One per environment. */
export type Pointer = DocumentOf<typeof fields>;

/** The fields that a move changes: a pointer without its id. */
export type PointerState = Omit<Pointer, '_id'>;

const { create } = defineModel<Pointer>('Pointer', 'pointers', {
  ...fields,
  // Earlier versions stored their only canary here.
  canary: nullable<unknown>(Schema.Types.Mixed),
});

export const pointerModel = create;

const recordedFields = {
  /** Revision of the pointer after the move. */
  _id: required(Number),
  at: date,
  /** The live composition after the move. */
  composition: required(String),
  ...moveFields,
};

/** One move of the pointer. Immutable; together they are the history of the live composition. */
export type Move = DocumentOf<typeof recordedFields>;

export const { create: moveModel } = defineModelOfEnvironments<Move>('Move', 'moves', recordedFields);

type WithCanaries = Pick<Pointer, 'composition' | 'canaries' | 'mixes'>;

/** For visitors who are in exactly these canaries, in the order of the pointer. undefined: none. */
export function compositionFor({ composition, canaries, mixes }: WithCanaries, ids: readonly string[]) {
  if (ids.length === 0) return composition;
  if (ids.length === 1) return canaries.find(({ id }) => id === ids[0])?.composition;
  return mixes.find((mix) => mix.canaries.join() === ids.join())?.composition;
}

/** Every composition that visitors may currently get. */
export function shownCompositions({ composition, canaries, mixes }: WithCanaries): string[] {
  return [...new Set([composition, ...[...canaries, ...mixes].map((one) => one.composition)])];
}

/** The pointer's canaries without the one with this id. */
export function withoutCanary({ canaries, mixes }: WithCanaries, id: string) {
  return {
    canaries: canaries.filter((one) => one.id !== id),
    mixes: mixes.filter((mix) => !mix.canaries.includes(id)),
  };
}

/** The change that makes `canary` live: the others keep running, based on the new live composition. */
export function promotion(pointer: WithCanaries, { id, composition }: PointerCanary) {
  const rebased = (ids: readonly string[]) =>
    compositionFor(
      pointer,
      pointer.canaries.flatMap((one) => (one.id === id || ids.includes(one.id) ? [one.id] : [])),
    );
  const left = withoutCanary(pointer, id);
  return {
    composition,
    canaries: left.canaries.flatMap((one) => moved(one, rebased([one.id]))),
    mixes: left.mixes.flatMap((one) => moved(one, rebased(one.canaries))),
  };
}

function moved<T extends PointerCanary | CanaryMix>(one: T, composition: string | undefined): T[] {
  return composition === undefined ? [] : [{ ...one, composition }];
}

/** The pointer's canaries with one of them replaced. */
export function withCanary({ canaries }: Pick<Pointer, 'canaries'>, changed: PointerCanary) {
  return { canaries: canaries.map((one) => (one.id === changed.id ? changed : one)) };
}

/** Canaries that visitors are assigned to. */
export function runningCanaries({ canaries }: Pick<Pointer, 'canaries'>): PointerCanary[] {
  return canaries.filter(({ halted }) => !halted);
}

/** A start time that no other statistics of this pointer have. */
export function newRun({ canaries, watch }: Pick<Pointer, 'canaries' | 'watch'>, now: Date): Date {
  const taken = [...canaries, ...(watch ? [watch] : [])].map(({ startedAt }) => startedAt.getTime() + 1);
  return new Date(Math.max(now.getTime(), ...taken));
}

/** Every selection of these, including none and all, in the same order. */
export function subsetsOf<T>(all: readonly T[]): T[][] {
  return Array.from({ length: 2 ** all.length }, (_, bits) => all.filter((_, index) => bits & (1 << index)));
}

type Restricted = Pick<Pointer, 'freeze' | 'pins'>;

/** The freeze or pin that prevents a change of these parts now; null if there is none. */
export function restrictionOf({ freeze, pins }: Restricted, parts: readonly string[], now: Date) {
  if (freeze && freeze.until > now) return freeze;
  return pins.find(({ part }) => parts.includes(part)) ?? null;
}

/** @throws conflict that says who froze or pinned it, and why. */
export function assertUnrestricted(pointer: Restricted | null, parts: readonly string[], now: Date): void {
  const restriction = pointer && restrictionOf(pointer, parts, now);
  if (!restriction) return;
  const { author, reason } = restriction;
  throw 'part' in restriction
    ? new ApiError('pinned', { name: restriction.part, author, reason })
    : new ApiError('frozen', { author, reason, until: restriction.until });
}
