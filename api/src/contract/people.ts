import { z } from 'zod';
import { nextCursor } from './fields.ts';
import { GivenRole } from './rights.ts';

/** An account, as administrators see it. Times are ISO 8601. */
export const Person = z.object({
  id: z.string(),
  username: z.string(),
  /** Those that it was given; it also has those of its groups. */
  roles: z.array(GivenRole),
  /** Ids of its groups. */
  groups: z.array(z.string()),
  isDisabled: z.boolean(),
  createdAt: z.string(),
  /** When it will be deleted with all of its data; null: no deletion is planned. It is disabled until then; enabling it cancels the deletion. */
  deleteAt: z.string().nullable(),
  /** null: never, or before this was recorded. */
  signedInAt: z.string().nullable(),
  /** Number of devices on which it is signed in. */
  sessions: z.int(),
  /** How it signs in: with a password, with a password and a code, or at a provider. */
  signsInBy: z.enum(['password', 'secondFactor', 'provider']),
});
export type Person = z.infer<typeof Person>;

/** POST /api/people/search: accounts by name. The name is in the body, since proxies write queries down. */
export const PeopleSearch = z.strictObject({
  /** Beginning of the user name. */
  q: z.string().trim().max(64).default(''),
  role: GivenRole.optional(),
  group: z.string().max(24).optional(),
  limit: z.int().min(1).max(100).default(20),
  cursor: z.string().min(1).max(500).optional(),
});

export const PeoplePage = z.object({ people: z.array(Person), nextCursor });
export type PeoplePage = z.infer<typeof PeoplePage>;

/** PATCH /api/people/:id. */
export const PersonChange = z.strictObject({
  roles: z.array(GivenRole).max(GivenRole.options.length).optional(),
  /** Ids of groups that exist. */
  groups: z.array(z.string().max(24)).max(200).optional(),
  /** A disabled account is signed out everywhere and cannot sign in. */
  isDisabled: z.boolean().optional(),
});
export type PersonChange = z.infer<typeof PersonChange>;

/** GET /api/people/:id/shared: numbers of what others use, and the account is responsible for. */
export const SharedThings = z.object({
  /** Collections of the knowledge base that it edits by name. */
  collections: z.int(),
  /** Open requests for a person that it has taken. */
  handovers: z.int(),
});
export type SharedThings = z.infer<typeof SharedThings>;

/** POST /api/people/:id/transfer: gives them to another account. Replies with what is not transferred yet. */
export const PersonTransfer = z.strictObject({
  /** The complete user name of the other account. */
  to: z.string().trim().min(1).max(64),
});
export type PersonTransfer = z.infer<typeof PersonTransfer>;

/** A name of a group or collection: one line of 1–60 characters. */
export const GroupName = z
  .string()
  .trim()
  .min(1)
  .max(60)
  .regex(/^[^\p{Cc}\u2028\u2029]*$/u);

/** POST /api/people/groups and PUT …/groups/:id. */
export const GroupRequest = z.strictObject({
  name: GroupName,
  /**
   * The value of the provider's `groupsClaim` that decides who belongs to it: people join and leave it when they sign in there. '' if administrators
   * decide.
   */
  claim: z.string().trim().max(200),
  /** What its members may do, besides their own roles. */
  roles: z.array(GivenRole).max(GivenRole.options.length).default([]),
});
export type GroupRequest = z.input<typeof GroupRequest>;

/** A group of accounts. */
export const Group = GroupRequest.extend({ id: z.string(), members: z.int() });
export type Group = z.infer<typeof Group>;

/** GET /api/people/groups: by name. */
export const GroupList = z.object({ groups: z.array(Group) });
export type GroupList = z.infer<typeof GroupList>;
