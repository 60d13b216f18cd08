import type { CreatedToken, NewToken, TokenInfo } from '../../contract/tokens.ts';
import { CommandFailure } from '../failure.ts';
import type { Say } from '../say.ts';
import type { CommandContext } from './command-context.ts';
import { ago, clock, formatNextPage } from './format.ts';
import { alignColumns } from './table.ts';

export interface CreateOptions {
  scope?: string[];
  /** In seconds. */
  expires?: number;
}

const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/;
const SCOPE = /^(admin|read|preview|release:(\*|[a-z][a-z0-9-]{0,63})|compose:(\*|[a-z][a-z0-9-]{0,31}))$/;

/** Throws if the name or the scopes of a new token are invalid. */
export function assertToken(name: string, { scope = [] }: CreateOptions, say: Say): void {
  if (!NAME.test(name)) throw new CommandFailure(2, say('badTokenName', { given: name }));
  const wrong = scope.find((one) => !SCOPE.test(one));
  if (wrong !== undefined || scope.length === 0)
    throw new CommandFailure(2, say('badScope', { given: wrong ?? '' }));
}

/** `compose tokens create ci-chat --scope release:mfe-chat --expires 90d`. */
export async function createToken(
  { client, say, now, answer }: CommandContext,
  name: string,
  { scope = [], expires }: CreateOptions,
): Promise<void> {
  const created = await client.post<CreatedToken>('/ops/tokens', {
    name,
    scopes: scope as NewToken['scopes'],
    expiresAt: expires === undefined ? null : new Date(Date.now() + expires * 1000).toISOString(),
  } satisfies NewToken);
  answer(created, () => {
    const until = created.expiresAt
      ? say('tokenUntil', { at: clock(created.expiresAt, now) })
      : say('tokenForever');
    return say('tokenCreated', { token: created.token, name, scopes: created.scopes.join(', '), until });
  });
}

/** `compose tokens list`: newest first, including expired and revoked ones. */
export async function listTokens(
  { client, say, now, answer }: CommandContext,
  options: { limit?: number; cursor?: string },
): Promise<void> {
  const page = await client.get<{ tokens: TokenInfo[]; nextCursor: string | null }>('/ops/tokens', {
    ...options,
  });
  answer(page, () => {
    const head = [
      say('headToken'),
      say('headScopes'),
      say('headState'),
      say('headMade'),
      say('headBy'),
      say('headExpires'),
      say('headUsed'),
    ];
    const rows = page.tokens.map((token) => [
      token.name,
      token.scopes.join(' '),
      token.revokedBy ? say('tokenRevokedBy', { name: token.revokedBy }) : say(`token_${token.state}`),
      ago(token.createdAt, now, say),
      token.createdBy,
      expiryOf(token, now),
      token.lastUsedAt ? ago(token.lastUsedAt, now, say) : '—',
    ]);
    return `${alignColumns([head, ...rows])}${formatNextPage(['tokens list'], options, page.nextCursor, say)}`;
  });
}

/** `compose tokens revoke ci-chat`. */
export async function revokeToken({ client, say, answer }: CommandContext, name: string): Promise<void> {
  const revoked = await client.post<TokenInfo>(`/ops/tokens/${encodeURIComponent(name)}/revoke`, {});
  answer(revoked, () => say('tokenRevoked', { name: revoked.name }));
}

function expiryOf({ expiresAt, isConfigured }: TokenInfo, now: Date): string {
  if (isConfigured) return 'OPS_TOKEN';
  return expiresAt ? clock(expiresAt, now) : '—';
}
