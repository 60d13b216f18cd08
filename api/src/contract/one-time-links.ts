import { z } from 'zod';
import { GivenRole } from './rights.ts';

/** POST /api/people/invitations: an account that gets these roles. */
export const InvitationRequest = z.strictObject({
  roles: z.array(GivenRole).max(GivenRole.options.length).default([]),
});

/** A link that works once: /login#link=<token>. The token is shown once. */
export const OneTimeLink = z.object({ token: z.string(), expiresAt: z.string() });
export type OneTimeLink = z.infer<typeof OneTimeLink>;

const token = z.string().min(1).max(100);

/** POST /admin/link: what a link is for. */
export const LinkQuery = z.strictObject({ token });

/**
 * `username`: the account whose password is set; null: a new account. `isSetup`: the administrator of a new desk. `hasSecondFactor`: the account has a
 * second factor or passkeys, which the use of the link removes.
 */
export const LinkInfo = z.object({
  username: z.string().nullable(),
  isSetup: z.literal(true).optional(),
  hasSecondFactor: z.literal(true).optional(),
});
export type LinkInfo = z.infer<typeof LinkInfo>;

/** POST /admin/link/use: sets a password and signs in. `username` is that of a new account, and ignored otherwise. */
export const LinkUse = z.strictObject({ token, username: z.string().default(''), password: z.string() });
