/*
 * Tokens for operations and teams: /ops/tokens, for tokens with the scope `admin`. Every call of /ops takes one as
 * `Authorization: Bearer desk_…`.
 */

/**
 * What a token permits, in addition to reading:
 * `admin`: everything, including tokens. `compose:<environment>`: changing what is live there.
 * `release:<remote>`: publishing releases of that remote. `preview`: creating links for previews.
 * `read`: nothing else. `compose:*` and `release:*` stand for all environments and remotes.
 */
export type TokenScope = 'admin' | 'read' | 'preview' | `compose:${string}` | `release:${string}`;

/** GET /ops/tokens `?cursor=&limit=` → `{tokens, nextCursor}`, newest first, including expired and revoked ones. */
export interface TokenInfo {
  /** 12 hex digits. */
  id: string;
  /** Unique, also among revoked tokens: the history shows it as the author of changes. */
  name: string;
  scopes: TokenScope[];
  state: 'active' | 'expired' | 'revoked';
  createdAt: string;
  /** Name of the token that created it, or 'start'. */
  createdBy: string;
  /** null: it does not expire. */
  expiresAt: string | null;
  /** Whether it is the OPS_TOKEN of a running process; it then expires soon after the last one ends. */
  isConfigured: boolean;
  /** Accurate to a minute; null if it has never been used. */
  lastUsedAt: string | null;
  revokedAt: string | null;
  /** Name of the token that revoked it. */
  revokedBy: string | null;
}

/**
 * POST /ops/tokens → 201 `CreatedToken`. `name`: 1–64 lower-case letters, digits, `.`, `_` and `-`.
 * 409 `conflict` with the field `name` if there is, or was, a token of that name. POST /ops/tokens/:id/revoke, with the
 * id or the name, → `TokenInfo`; revoking twice changes nothing. 409 `conflict` for the last `admin` token that does
 * not expire.
 */
export interface NewToken {
  name: string;
  scopes: TokenScope[];
  /** In the future; default null: it does not expire. */
  expiresAt?: string | null;
}

export interface CreatedToken extends TokenInfo {
  /** `desk_` and 64 hex digits. Only this response contains it. */
  token: string;
}
