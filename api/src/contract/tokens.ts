import { z } from 'zod';

/*
 * Tokens for operations and teams: /ops/tokens, for tokens with the scope `admin`. Every call of /ops takes one as
 * `Authorization: Bearer desk_…`.
 */

/**
 * What a token permits, in addition to reading:
 * `admin`: everything, including tokens. `compose:<environment>`: changing the live composition there.
 * `release:<remote>`: publishing releases of that remote. `preview`: creating links for previews.
 * `read`: nothing else. `compose:*` and `release:*` stand for all environments and remotes.
 */
export const TokenScope = z.union([
  z.literal('admin'),
  z.literal('read'),
  z.literal('preview'),
  z.templateLiteral(['compose:', z.string().regex(/^(\*|[a-z][a-z0-9-]{0,31})$/)]),
  z.templateLiteral(['release:', z.string().regex(/^(\*|[a-z][a-z0-9-]{0,63})$/)]),
]);
export type TokenScope = z.infer<typeof TokenScope>;

/** GET /ops/tokens `?cursor=&limit=` → `{tokens, nextCursor}`, newest first, including expired and revoked ones. */
export const TokenInfo = z.object({
  /** 12 hex digits. */
  id: z.string(),
  /** Unique, also among revoked tokens: the history shows it as the author of changes. */
  name: z.string(),
  scopes: z.array(TokenScope),
  state: z.enum(['active', 'expired', 'revoked']),
  createdAt: z.string(),
  /** Name of the token that created it, or 'start'. */
  createdBy: z.string(),
  /** null: it does not expire. */
  expiresAt: z.string().nullable(),
  /** Whether it is the OPS_TOKEN of a running process; it then expires soon after the last one ends. */
  isConfigured: z.boolean(),
  /** Accurate to a minute; null if it has never been used. */
  lastUsedAt: z.string().nullable(),
  revokedAt: z.string().nullable(),
  /** Name of the token that revoked it. */
  revokedBy: z.string().nullable(),
});
export type TokenInfo = z.infer<typeof TokenInfo>;

/**
 * POST /ops/tokens → 201 `CreatedToken`. `name`: 1–64 lower-case letters, digits, `.`, `_` and `-`.
 * 409 `conflict` with the field `name` if there is, or was, a token of that name. POST /ops/tokens/:id/revoke, with the
 * id or the name, → `TokenInfo`; revoking twice changes nothing. 409 `conflict` for the last `admin` token that does
 * not expire.
 */
export const NewToken = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z0-9][a-z0-9._-]{0,63}$/)
    // It would look like an id, or like what the history names as the author of changes that no token made.
    .regex(/^(?![0-9a-f]{12}$|(start|canary|watch)$)/),
  scopes: z.array(TokenScope).min(1).max(50),
  /** In the future; default null: it does not expire. */
  expiresAt: z.iso.datetime({ offset: true }).nullable().exactOptional(),
});
export type NewToken = z.infer<typeof NewToken>;

export const CreatedToken = TokenInfo.extend({
  /** `desk_` and 64 hex digits. Only this response contains it. */
  token: z.string(),
});
export type CreatedToken = z.infer<typeof CreatedToken>;
