import type { Connection } from 'mongoose';
import { ApiError, notFound } from '../../errors/errors.ts';
import { createIndexes, defineModel } from '../../store/define-model.ts';
import {
  type DocumentOf,
  list,
  nullable,
  type Part,
  part,
  required,
  withDefault,
} from '../../store/fields.ts';
import { defineModelOfEnvironments, environmentOf, PRODUCTION } from './environment.ts';
import { moveModel, pointerModel } from './pointer.ts';
import { releaseModel } from './release.ts';

export type CompositionStore = ReturnType<typeof createCompositionStore>;

/**
 * The collections of one environment: its pointer, the history of it and its previews, and the releases and compositions that
 * all environments of the database share.
 */
export function createCompositionStore(connection: Connection, environment: string = PRODUCTION) {
  return {
    environment,
    releases: releaseModel(connection),
    compositions: compositionModel(connection),
    pointers: pointerModel(connection),
    moves: moveModel(connection, environment),
    previews: previews.create(connection, environment),
  };
}

/** Creates the indexes that all reads of releases and compositions depend on. */
export async function createCompositionIndexes({ environment: _, ...models }: CompositionStore) {
  await createIndexes(models);
}

/** The stores of every environment of the database in which something has been live. */
export async function storesOf({ pointers }: CompositionStore): Promise<CompositionStore[]> {
  const found = await pointers.find({}, { _id: 1 }).sort({ _id: 1 }).lean();
  return found.flatMap(({ _id }) => {
    const environment = environmentOf(_id);
    return environment === undefined ? [] : [createCompositionStore(pointers.db, environment)];
  });
}

/** The published ones of these releases, by id. */
export async function publishedReleases({ releases }: CompositionStore, ids: readonly string[]) {
  const found = await releases.find({ _id: { $in: ids }, publishedAt: { $ne: null } }).lean();
  return new Map(found.map((release) => [release._id, release]));
}

/** null if it is not published or has been removed. */
export async function publishedRelease({ releases }: CompositionStore, id: string) {
  return releases.findOne({ _id: id, publishedAt: { $ne: null } }).lean();
}

/** Ids of all yanked releases. */
export async function yankedReleases({ releases }: CompositionStore): Promise<string[]> {
  const found = await releases.find({ 'yanked.at': { $exists: true } }, { _id: 1 }).lean();
  return found.map(({ _id }) => _id);
}

const chosen = part({
  name: required(String),
  /** `mfe-chat@1.4.0`. */
  release: required(String),
  version: required(String),
  base: required(String),
  /** Digest of the release, so that the composition's id covers every byte of it. */
  digest: required(String),
  /** The fallback release, see `chooseFallbacks`, or null. */
  previous: nullable(String),
});
export type Chosen = Part<typeof chosen>;

const fields = {
  /** SHA-256 (hex) of host, remotes and parent: the same choice with the same parent has the same id. */
  _id: required(String),
  host: required(chosen),
  /** Sorted by name. */
  remotes: list(chosen),
  /** The composition that was live before; null for the first one. */
  parent: nullable(String),
  /** `start` if created by `npm start`, otherwise the person in operations. */
  author: required(String),
  reason: withDefault(''),
  createdAt: required(Date),
};

/** Immutable, identified by the hash of its content. `parent` links are never rewritten. */
export type Composition = DocumentOf<typeof fields>;

const { schema, create } = defineModel<Composition>('Composition', 'compositions', fields);
schema.index({ createdAt: -1, _id: -1 });

const compositionModel = create;

const previewFields = {
  /** Part of its link: derived from `name`, or random. */
  _id: required(String),
  /** Such as a branch: its link stays the same when it shows another composition. null for a single preview. */
  name: nullable(String),
  composition: required(String),
  author: required(String),
  /** Name of the token that made it. */
  token: required(String),
  expiresAt: required(Date),
};

/** A composition that is shown to everyone who opens its link. Deleted once it has expired. */
export type Preview = DocumentOf<typeof previewFields>;

const previews = defineModelOfEnvironments<Preview>('Preview', 'previews', previewFields);
previews.schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export async function readComposition({ compositions }: CompositionStore, id: string) {
  return compositions.findById(id).lean();
}

/** The compositions with these ids, by id. null stands for none. */
export async function compositionsById({ compositions }: CompositionStore, ids: readonly (string | null)[]) {
  const found = await compositions
    .find({ _id: { $in: [...new Set(ids)].filter((id) => id !== null) } })
    .lean();
  return new Map(found.map((composition) => [composition._id, composition]));
}

/** A composition id or its first digits. */
const compositionPrefix = /^[0-9a-f]{6,64}$/;

/** Finds a composition by the beginning of its id. @throws notFound, also for a wrong format; ambiguous_composition */
export async function findComposition({ compositions }: CompositionStore, prefix: string) {
  const digits = prefix.toLowerCase();
  if (!compositionPrefix.test(digits)) throw notFound('composition');
  // 'g' sorts directly after the last hex digit.
  const range = digits.length === 64 ? digits : { $gte: digits, $lt: `${digits}g` };
  const [found, other] = await compositions.find({ _id: range }).limit(2).lean();
  if (!found) throw notFound('composition');
  if (other) throw new ApiError('ambiguous_composition');
  return found;
}
