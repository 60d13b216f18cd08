import { z } from 'zod';
import { nextCursor } from './fields.ts';
import { GivenRole } from './rights.ts';

/** An account, as administrators see it. Times are ISO 8601. */
export const Person = z.object({
  id: z.string(),
  username: z.string(),
  roles: z.array(GivenRole),
  isDisabled: z.boolean(),
  createdAt: z.string(),
  /** When it is deleted with everything; null: it is not. It is disabled until then, and enabling it undoes the deletion. */
  deleteAt: z.string().nullable(),
  /** null: not since this is recorded. */
  signedInAt: z.string().nullable(),
  /** Number of devices on which it is signed in. */
  sessions: z.int(),
});
export type Person = z.infer<typeof Person>;

/** POST /api/people/search: accounts by name. The name is in the body, since proxies write queries down. */
export const PeopleSearch = z.strictObject({
  /** Beginning of the user name. */
  q: z.string().trim().max(64).default(''),
  role: GivenRole.optional(),
  limit: z.int().min(1).max(100).default(20),
  cursor: z.string().min(1).max(500).optional(),
});

export const PeoplePage = z.object({ people: z.array(Person), nextCursor });
export type PeoplePage = z.infer<typeof PeoplePage>;

/** PATCH /api/people/:id. */
export const PersonChange = z.strictObject({
  roles: z.array(GivenRole).max(GivenRole.options.length).optional(),
  /** A disabled account is signed out everywhere and cannot sign in. */
  isDisabled: z.boolean().optional(),
});
export type PersonChange = z.infer<typeof PersonChange>;
