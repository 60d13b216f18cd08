import type { CreatedToken, NewToken, TokenInfo } from '../../../contract/tokens.ts';
import { CommandFailure } from '../../failure.ts';
import type { CommandContext } from '../context/command-context.ts';
import { ago, clock, type Say } from '../context/format.ts';
import { answerPage, type Column, type PageOptions } from './table.ts';

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
export function listTokens(context: CommandContext, options: PageOptions): Promise<void> {
  const { say, now } = context;
  const columns: Column<TokenInfo>[] = [
    ['headToken', ({ name }) => name],
    ['headScopes', ({ scopes }) => scopes.join(' ')],
    [
      'headState',
      ({ revokedBy, state }) =>
        revokedBy ? say('tokenRevokedBy', { name: revokedBy }) : say(`token_${state}`),
    ],
    ['headMade', ({ createdAt }) => ago(createdAt, now, say)],
    ['headBy', ({ createdBy }) => createdBy],
    ['headExpires', (token) => expiryOf(token, now)],
    ['headUsed', ({ lastUsedAt }) => (lastUsedAt ? ago(lastUsedAt, now, say) : '—')],
  ];
  return answerPage(context, 'tokens', columns, { path: '/ops/tokens', command: ['tokens list'], options });
}

/** `compose tokens revoke ci-chat`. */
export async function revokeToken({ client, say, answer }: CommandContext, name: string): Promise<void> {
  const revoked = await client.post<TokenInfo>(`/ops/tokens/${encodeURIComponent(name)}/revoke`);
  answer(revoked, () => say('tokenRevoked', { name: revoked.name }));
}

function expiryOf({ expiresAt, isConfigured }: TokenInfo, now: Date): string {
  if (isConfigured) return 'OPS_TOKEN';
  return expiresAt ? clock(expiresAt, now) : '—';
}
