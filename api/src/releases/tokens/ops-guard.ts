import type { Types } from 'mongoose';
import type { UserDocument } from '../../accounts/account-models.ts';
import type { LogSecurity } from '../../accounts/audit/log-security.ts';
import { addressKey } from '../../accounts/limit-requests.ts';
import type { Operators } from '../../accounts/operators.ts';
import type { RateLimit } from '../../accounts/rate-limit.ts';
import { createSigner } from '../../accounts/secrets.ts';
import type { Config } from '../../config/config.ts';
import type { OpsSession } from '../../contract/releases.ts';
import type { TokenScope } from '../../contract/tokens.ts';
import { ApiError } from '../../errors/errors.ts';
import { bearerOf, isSameSecret } from '../../http/bearer.ts';
import type { DeskContext, DeskMiddleware, DeskState } from '../../http/desk-state.ts';
import { databaseNow } from '../../store/database-clock.ts';
import { recordAs } from '../data/move-pointer.ts';
import type { TokenDocument, Tokens } from './tokens.ts';
import { hasAny, permits } from './tokens.ts';

/** Lifetime of a session, in ms. */
const SESSION_MS = 30 * 60_000;
/** Length of the id of a token. Ids of accounts' sessions are longer. */
const tokenIdLength = 12;
/** Maximum length of a token, in characters. */
const MAX_LENGTH = 1000;

type OpsToken = DeskState['opsToken'];

export type OpsGuard = ReturnType<typeof createOpsGuard>;

/**
 * Permissions of operations and teams. Each guard looks the request's token up, so that a revoked one is refused by every process at once, and sets
 * `state.opsToken`. Changes are recorded with its name. Wrong tokens count against the address that sends them, so that guessing is slow while correct
 * tokens are never limited.
 * @param deps.key is used for sessions only, see `deriveKey`. @param deps.needUser requires a signed-in user.
 * @param deps.wrongTokens limits wrong tokens by address.
 */
export function createOpsGuard(deps: {
  tokens: Pick<Tokens, 'find' | 'findById'>;
  config: Pick<Config, 'releaseTokens' | 'environment'>;
  key: Buffer;
  needUser: DeskMiddleware;
  operators: Pick<Operators, 'findBySession'>;
  wrongTokens: RateLimit;
  logSecurity: LogSecurity;
}) {
  const { tokens, config, key, needUser, operators, wrongTokens, logSecurity } = deps;
  const { sign, isSigned } = createSigner(key);

  /** null unless the request has a valid token or session. */
  async function identify(ctx: DeskContext): Promise<OpsToken | null> {
    const given = bearerOf(ctx) ?? '';
    if (given === '' || given.length > MAX_LENGTH) return null;
    const configured = releaseTokenOf(given);
    if (configured) return configured;
    return given.startsWith('ops.') ? findBySession(given) : opsTokenOf(await tokens.find(given));
  }

  function opsTokenOf(found: TokenDocument | null): OpsToken | null {
    if (!found) return null;
    const { _id, name, scopes, isConfigured, createdAt, expiresAt } = found;
    return { id: _id, name, scopes, createdAt, expiresAt: isConfigured ? null : expiresAt };
  }

  async function findBySession(given: string): Promise<OpsToken | null> {
    const [, id = '', expiry = '', signature = ''] =
      /^ops\.([0-9a-f]{12}|[0-9a-f]{24})\.([0-9a-z]{1,10})\.([\w-]{43})$/.exec(given) ?? [];
    const isValid =
      isSigned(`${id}.${expiry}`, signature) && Number.parseInt(expiry, 36) * 1000 > databaseNow();
    if (!isValid) return null;
    if (id.length === tokenIdLength) return opsTokenOf(await tokens.findById(id));
    const user = await operators.findBySession(id);
    return user && operatorToken(user);
  }

  /** The scopes of an account with the right to operate. No token has a name with `@`. */
  const operatorToken = ({ _id, username, createdAt }: UserDocument): OpsToken => ({
    id: `user:${_id.toHexString()}`,
    name: `@${username}`,
    scopes: [`compose:${config.environment}`],
    createdAt,
    expiresAt: null,
  });

  /** Compares all of RELEASE_TOKENS, so that the time reveals nothing. */
  function releaseTokenOf(given: string): OpsToken | undefined {
    const fitting = Object.entries(config.releaseTokens).filter(([, known]) => isSameSecret(given, known));
    const [name] = fitting[0] ?? [];
    return name === undefined
      ? undefined
      : { id: `release:${name}`, name, scopes: [`release:${name}`], createdAt: new Date(0), expiresAt: null };
  }

  async function refuse(ctx: DeskContext): Promise<never> {
    await countWrong(ctx);
    throw new ApiError('ops_token_wrong');
  }

  async function countWrong(ctx: DeskContext): Promise<void> {
    try {
      await wrongTokens.take(addressKey(ctx.ip));
    } catch (cause) {
      if (cause instanceof ApiError && cause.error === 'rate_limited')
        logSecurity(ctx, 'ops_token_limited', null);
      throw cause;
    }
    logSecurity(ctx, 'ops_token_failed', null);
  }

  async function identified(ctx: DeskContext): Promise<OpsToken> {
    ctx.state.opsToken = (await identify(ctx)) ?? (await refuse(ctx));
    return ctx.state.opsToken;
  }

  const need =
    (scope: TokenScope): DeskMiddleware =>
    async (ctx, next) => {
      const { name, scopes } = await identified(ctx);
      if (!permits(scopes, scope)) throw new ApiError('scope_missing', { field: scope });
      await recordAs({ token: name }, next);
    };

  /** `id`: of the token, or of an operator's session. */
  function createSession(id: string, { name, scopes, expiresAt }: OpsToken, now: Date): OpsSession {
    const end = Math.min(now.getTime() + SESSION_MS, expiresAt?.getTime() ?? Number.POSITIVE_INFINITY);
    const seconds = Math.floor(end / 1000);
    const expiry = seconds.toString(36);
    return {
      token: `ops.${id}.${expiry}.${sign(`${id}.${expiry}`)}`,
      expiresAt: new Date(seconds * 1000).toISOString(),
      name,
      scopes,
    };
  }

  return {
    /** Requires a token with `scope`. */
    need,
    /** Requires the right to change the live composition of the environment of this process. */
    needCompose: need(`compose:${config.environment}`),
    /** Requires the right to publish any release; use `assertPermitted` for its name. */
    needPublisher: (async (ctx, next) => {
      const { scopes } = await identified(ctx);
      if (!hasAny(scopes, 'release')) throw new ApiError('scope_missing', { field: 'release:…' });
      await next();
    }) satisfies DeskMiddleware,
    /** Requires a token that permits more than reading. */
    needTeam: (async (ctx, next) => {
      const { scopes } = await identified(ctx);
      if (scopes.every((scope) => scope === 'read')) throw new ApiError('forbidden');
      await next();
    }) satisfies DeskMiddleware,
    /** Requires any token or any signed-in user, whose requests have no `state.opsToken`. */
    needReader: (async (ctx, next) => {
      const given = bearerOf(ctx) ?? '';
      if (given === '') throw new ApiError('sign_in_required');
      const token = await identify(ctx);
      if (token) {
        ctx.state.opsToken = token;
        return next();
      }
      if (/^(ops\.|desk_)/.test(given)) await refuse(ctx);
      let isIn = false;
      try {
        await needUser(ctx, () => {
          isIn = true;
          return next();
        });
      } catch (cause) {
        // It is not a visitor's token either, so it may be a guess and is limited like elsewhere.
        if (!isIn) await countWrong(ctx);
        throw cause;
      }
    }) satisfies DeskMiddleware,
    /** Requires a token itself, not a session. */
    needToken: (async (ctx, next) => {
      const { id } = await identified(ctx);
      const isSession = bearerOf(ctx)?.startsWith('ops.') ?? false;
      if (isSession || id.startsWith('release:')) await refuse(ctx);
      await next();
    }) satisfies DeskMiddleware,
    /** @throws forbidden if the request's token does not have `scope`. */
    assertPermitted({ state }: DeskContext, scope: TokenScope): void {
      if (permits(state.opsToken.scopes, scope)) return;
      throw scope.startsWith('release:')
        ? new ApiError('forbidden_release')
        : new ApiError('scope_missing', { field: scope });
    },
    /** To be called during long requests. @throws ops_token_wrong if the token has been revoked or has expired meanwhile. */
    async assertStillValid(ctx: DeskContext): Promise<void> {
      if (!(await identify(ctx))) throw new ApiError('ops_token_wrong');
    },
    /** A token valid for 30 minutes at most, with the scopes of the request's token, and only as long as that is valid. */
    createSession: ({ state: { opsToken } }: DeskContext, now: Date): OpsSession =>
      createSession(opsToken.id, opsToken, now),
    /** The same for an account with the right to operate, which ends with its session as well. */
    createOperatorSession: (session: Types.ObjectId, user: UserDocument, now: Date): OpsSession =>
      createSession(session.toHexString(), operatorToken(user), now),
  };
}
