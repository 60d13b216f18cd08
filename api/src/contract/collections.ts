import { z } from 'zod';
import { GroupName } from './people.ts';

/** The collection that always exists, and that knowledge belongs to unless another one is named. Everyone may read it. */
export const firstCollection = 'everyone';

const Id = z.string().regex(/^[0-9a-f]{24}$/);
/** The id of a collection. */
export const CollectionId = Id.or(z.literal(firstCollection));

/** Groups and accounts, by id. */
export const Audience = z.strictObject({ groups: z.array(Id).max(200), people: z.array(Id).max(200) });
export type Audience = z.infer<typeof Audience>;

/**
 * Who may read a collection, and who may change its documents and pairs. Its editors may also read it. Accounts with the role editor or
 * administrator may read and change all collections.
 */
export const CollectionRequest = z.strictObject({
  name: GroupName,
  /** `some`: only `readers`. */
  access: z.enum(['everyone', 'signed_in', 'some']),
  readers: Audience,
  editors: Audience,
});
export type CollectionRequest = z.infer<typeof CollectionRequest>;

/** A collection that the caller may read. */
export const Collection = z.object({
  id: z.string(),
  /** '' for the first one. */
  name: z.string(),
  access: CollectionRequest.shape.access,
  /** Whether the caller may change its documents and pairs. */
  mayEdit: z.boolean(),
  /** Numbers of its documents and pairs by editors. */
  documents: z.int(),
  pairs: z.int(),
  /** For administrators, without those that do not exist any more; missing for others and for the first collection. */
  readers: Audience.exactOptional(),
  editors: Audience.exactOptional(),
});
export type Collection = z.infer<typeof Collection>;

/** GET /api/knowledge/collections: the first one, then those that the caller may read, by name. */
export const CollectionList = z.object({
  collections: z.array(Collection),
  /** The groups of the desk, for editors of the whole desk; missing for others. */
  groups: z.array(z.object({ id: z.string(), name: z.string() })).exactOptional(),
  /** Names of the accounts that are named in the collections, for administrators; missing for others. */
  people: z.array(z.object({ id: z.string(), username: z.string() })).exactOptional(),
});
export type CollectionList = z.infer<typeof CollectionList>;
