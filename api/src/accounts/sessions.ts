import { Types } from 'mongoose';
import type { Config } from '../config/config.ts';
import { SessionInfo } from '../contract/accounts.ts';
import { notFound } from '../errors/errors.ts';
import type { SessionUser } from '../http/desk-state.ts';
import { databaseDate } from '../store/database-clock.ts';
import { describeAs } from '../store/describe-as.ts';
import { toObjectId } from '../store/object-id.ts';
import { hashOf, randomToken } from '../store/random-token.ts';
import type { AccountModels } from './account-models.ts';
import { withGroupRoles } from './groups.ts';

const day = 86_400_000;

/** Minimum interval between updates of a session's last use, in ms. */
const touchEveryMs = 60_000;

export interface SignedIn {
  sessionId: Types.ObjectId;
  user: SessionUser;
  /** The provider that has signed the person in; null: a password did. */
  provider?: string | null;
}

export interface ProviderSession {
  provider: string;
  sid: string | null;
}

export type Sessions = ReturnType<typeof createSessions>;

export function createSessions(
  { sessions, users, groups }: Pick<AccountModels, 'sessions' | 'users' | 'groups'>,
  { sessionDays }: Pick<Config, 'sessionDays'>,
) {
  const expiry = (from: Date) => new Date(from.getTime() + sessionDays * day);

  return {
    /** Starts a session and returns its token: 256 random bits, of which only a hash is stored. */
    async start(userId: Types.ObjectId, device: string, of?: ProviderSession): Promise<string> {
      const token = randomToken();
      const now = databaseDate();
      const whose = { userId, provider: of?.provider ?? null, providerSid: of?.sid ?? null, device };
      const times = { createdAt: now, lastUsedAt: now, expiresAt: expiry(now) };
      await sessions.create({ _id: new Types.ObjectId(), tokenHash: hashOf(token), ...whose, ...times });
      return token;
    },

    /** null if the token is unknown, expired or ended. Extends the expiry. */
    async find(token: string): Promise<SignedIn | null> {
      const now = databaseDate();
      const session = await sessions.findOne({ tokenHash: hashOf(token) }).lean();
      if (!session || session.expiresAt <= now) return null;
      const fields = { username: 1, roles: 1, groups: 1, disabledAt: 1, deletedAt: 1 } as const;
      const user = await users.findById(session.userId, fields).lean();
      if (!user || user.deletedAt || user.disabledAt) return null;
      if (now.getTime() - session.lastUsedAt.getTime() > touchEveryMs)
        await sessions.updateOne({ _id: session._id }, { $set: { lastUsedAt: now, expiresAt: expiry(now) } });
      const [withRoles] = await withGroupRoles(groups, [user]);
      return { sessionId: session._id, user: withRoles!, provider: session.provider ?? null };
    },

    /** Extends the sessions that have not ended. */
    async extend(ids: readonly Types.ObjectId[]): Promise<void> {
      const now = databaseDate();
      const $set = { lastUsedAt: now, expiresAt: expiry(now) };
      await sessions.updateMany({ _id: { $in: ids }, expiresAt: { $gt: now } }, { $set });
    },

    /** Most recently used first. */
    async list(userId: Types.ObjectId, current: Types.ObjectId): Promise<SessionInfo[]> {
      const lasting = { userId, expiresAt: { $gt: databaseDate() } };
      const found = await sessions.find(lasting).sort({ lastUsedAt: -1 }).limit(1000).lean();
      return found.map((session) =>
        describeAs(SessionInfo, { ...session, current: session._id.equals(current) }),
      );
    },

    /** @throws notFound('session') */
    async end(userId: Types.ObjectId, sessionId: string): Promise<void> {
      const ended = await sessions.deleteOne({ _id: toObjectId(sessionId, 'session'), userId });
      if (ended.deletedCount === 0) throw notFound('session');
    },

    async endAll(userId: Types.ObjectId, except?: Types.ObjectId): Promise<void> {
      await sessions.deleteMany(except ? { userId, _id: { $ne: except } } : { userId });
    },
  };
}
