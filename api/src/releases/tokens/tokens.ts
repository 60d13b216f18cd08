import { randomBytes } from 'node:crypto';
import type { Model } from 'mongoose';
import { type CreatedToken, TokenInfo, type TokenScope } from '../../contract/tokens.ts';
import { ApiError, notFound } from '../../errors/errors.ts';
import { type PageRequest, readPage } from '../../store/cursor.ts';
import { defineModel } from '../../store/define-model.ts';
import { describeAs } from '../../store/describe-as.ts';
import { type DocumentOf, field, nullable, required, withDefault } from '../../store/fields.ts';
import { hashOf } from '../../store/random-token.ts';
import type { SettingModel } from '../../store/setting.ts';
import { unlessDuplicate } from '../../store/store-failure.ts';

/** Minimum interval between updates of a token's last use, in ms. */
const TOUCH_INTERVAL_MS = 60_000;

/** Setting with the ids of `admin` tokens that are being revoked. */
const REVOKING = 'revoking_admin_tokens';

export interface WantedToken {
  name: string;
  scopes: TokenScope[];
  expiresAt: Date | null;
}

export type Tokens = ReturnType<typeof createTokens>;

export function createTokens(deps: {
  model: TokenModel;
  settings: SettingModel;
  /** OPS_TOKEN of this process. */
  configured: string | null;
  now(): Date;
}) {
  const { model, settings, now } = deps;
  const configuredHash = deps.configured && hashOf(deps.configured);

  /** Accepts this process's own OPS_TOKEN even if its expiry was not renewed in time. */
  const isAccepted = (found: TokenDocument) =>
    isUsable(found, now()) || (found.hash === configuredHash && !found.revokedAt);

  async function used(found: TokenDocument | null): Promise<TokenDocument | null> {
    if (!found || !isAccepted(found)) return null;
    const at = now();
    if (at.getTime() - (found.lastUsedAt?.getTime() ?? 0) > TOUCH_INTERVAL_MS)
      await model.updateOne({ _id: found._id }, { $set: { lastUsedAt: at } });
    return found;
  }

  /**
   * Two processes may revoke two tokens at the same time. So the ids are first added to one document by
   * compare-and-set, and each revocation only counts on tokens that are not in it.
   */
  async function assertNotLast({ _id }: TokenDocument): Promise<void> {
    for (;;) {
      const stored = await settings.findById(REVOKING).lean();
      const revoking = stored?.value.split(' ') ?? [];
      const admins = await permanentAdmins(model, now());
      if (!admins.some((other) => other._id !== _id && !revoking.includes(other._id)))
        throw new ApiError('last_admin_token');
      const left = admins.map((other) => other._id).filter((other) => revoking.includes(other));
      const value = [...new Set([...left, _id])].join(' ');
      if (await replaceSetting(settings, stored?.value, value)) return;
    }
  }

  return {
    /** null if the token is unknown, expired or revoked. Records its use. */
    find: async (token: string): Promise<TokenDocument | null> =>
      used(await model.findOne({ hash: hashOf(token) }).lean()),
    /** The same by id, for sessions derived from a token. */
    findById: async (id: string): Promise<TokenDocument | null> => used(await model.findById(id).lean()),
    async isValid(id: string): Promise<boolean> {
      const found = await model.findById(id).lean();
      return found !== null && isAccepted(found);
    },

    /** @throws token_name_taken */
    async create(wanted: WantedToken, by: string): Promise<CreatedToken> {
      const token = `desk_${randomBytes(32).toString('hex')}`;
      const created = newToken({ ...wanted, token, createdBy: by, createdAt: now() });
      if (!(await unlessDuplicate(model.create(created)))) throw new ApiError('token_name_taken');
      return { ...infoOf(created, now()), token };
    },

    async list(request: PageRequest) {
      const { page, nextCursor } = await readPage(model, 'createdAt', 'tokens', request);
      return { tokens: page.map((token) => infoOf(token, now())), nextCursor };
    },

    /**
     * Revokes a token for all processes with their next request.
     * @throws notFound('token'); last_admin_token if no other `admin` token without an expiry would remain.
     */
    async revoke(idOrName: string, by: string): Promise<TokenInfo> {
      const found = await model.findOne({ $or: [{ _id: idOrName }, { name: idOrName }] }).lean();
      if (!found) throw notFound('token');
      if (!found.revokedAt && isPermanentAdmin(found, now())) await assertNotLast(found);
      await model.updateOne(
        { _id: found._id, revokedAt: null },
        { $set: { revokedAt: now(), revokedBy: by } },
      );
      const revoked = await model.findById(found._id).lean();
      return infoOf(revoked ?? found, now());
    },
  };
}

export function newToken({
  token,
  ...fields
}: WantedToken &
  Pick<TokenDocument, 'createdAt' | 'createdBy'> & { token: string; isConfigured?: boolean }): TokenDocument {
  return {
    _id: randomBytes(6).toString('hex'),
    hash: hashOf(token),
    isConfigured: false,
    lastUsedAt: null,
    revokedAt: null,
    revokedBy: null,
    ...fields,
  };
}

export function isUsable({ revokedAt, expiresAt }: TokenDocument, now: Date): boolean {
  return !revokedAt && (!expiresAt || expiresAt > now);
}

/** The usable `admin` tokens that do not expire, or are configured as OPS_TOKEN. */
export async function permanentAdmins(model: TokenModel, now: Date): Promise<TokenDocument[]> {
  const admins = await model.find({ scopes: 'admin', revokedAt: null }).lean();
  return admins.filter((token) => isPermanentAdmin(token, now));
}

function isPermanentAdmin(token: TokenDocument, now: Date): boolean {
  return (
    token.scopes.includes('admin') && isUsable(token, now) && (token.expiresAt === null || token.isConfigured)
  );
}

function infoOf(token: TokenDocument, now: Date): TokenInfo {
  const state = token.revokedAt ? 'revoked' : isUsable(token, now) ? 'active' : 'expired';
  return describeAs(TokenInfo, { ...token, state });
}

/** Returns false if the setting was changed meanwhile. */
async function replaceSetting(settings: SettingModel, before: string | undefined, value: string) {
  if (before !== undefined) {
    const done = await settings.updateOne({ _id: REVOKING, value: before }, { $set: { value } });
    return done.matchedCount === 1;
  }
  return unlessDuplicate(settings.create({ _id: REVOKING, value }));
}

const fields = {
  _id: required(String),
  /** SHA-256 of the token, base64url. */
  hash: required(String),
  name: required(String),
  scopes: field<TokenScope[]>({ type: [String], required: true }),
  createdAt: required(Date),
  createdBy: required(String),
  /** null: it does not expire. */
  expiresAt: nullable(Date),
  /** Whether it is OPS_TOKEN: running processes postpone `expiresAt`. */
  isConfigured: withDefault(false),
  lastUsedAt: nullable(Date),
  revokedAt: nullable(Date),
  revokedBy: nullable(String),
};

/** A token for operations or a team. The token itself is not stored. */
export type TokenDocument = DocumentOf<typeof fields>;

const { schema, create } = defineModel<TokenDocument>('OpsToken', 'ops_tokens', fields);
schema.index({ hash: 1 }, { unique: true });
schema.index({ name: 1 }, { unique: true });
schema.index({ createdAt: -1, _id: -1 });

export type TokenModel = Model<TokenDocument>;
export const createTokenModel = create;

/** Whether `scopes` permit `needed`: `admin` permits everything, `release:*` every release. */
export function permits(scopes: readonly string[], needed: TokenScope): boolean {
  const [kind, name] = needed.split(':', 2);
  return (
    scopes.includes('admin') ||
    scopes.includes(needed) ||
    (name !== undefined && scopes.includes(`${kind}:*`)) ||
    // Previews are part of composing: `--smoke` opens one.
    (needed === 'preview' && hasAny(scopes, 'compose'))
  );
}

/** Whether `scopes` contain one of this kind, for any remote or environment. */
export function hasAny(scopes: readonly string[], kind: 'release' | 'compose'): boolean {
  return scopes.some((scope) => scope === 'admin' || scope.startsWith(`${kind}:`));
}
