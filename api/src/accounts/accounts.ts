import { randomBytes } from 'node:crypto';
import { Types } from 'mongoose';
import type { Config } from '../config/config.ts';
import type { GivenRole } from '../contract/rights.ts';
import { ApiError, notFound } from '../errors/errors.ts';
import { databaseDate, databaseNow } from '../store/database-clock.ts';
import { secureDelete, secureDeleteTimeoutMs } from '../store/secure-delete.ts';
import { unlessDuplicate } from '../store/store-failure.ts';
import { within } from '../store/within.ts';
import type { AccountModels, UserDocument } from './account-models.ts';
import { accountName, nameKeyOf, type RefusalKey, refuseName, refusePassword } from './account-rules.ts';
import type { OwnedData } from './guests.ts';
import { type Guests, userOwner } from './guests.ts';
import type { RateLimit } from './rate-limit.ts';
import type { Rights } from './rights.ts';
import type { Roles } from './roles.ts';
import type { SecondFactors } from './second-factors.ts';
import type { ProviderSession, Sessions } from './sessions.ts';

/** Who signs in: the guest whose data is to be adopted, and the device. */
export interface Visit {
  guestId: string | null;
  device: string;
}

export interface Credentials extends Visit {
  username: string;
  password: string;
}

export interface SignUpOptions {
  /** Whether it becomes administrator if the desk has none yet. */
  mayBeFirst?: boolean;
  /** It gets these roles once `claim` has resolved, although nobody may sign up. */
  invited?: { roles: readonly GivenRole[]; claim(): Promise<void> };
}

/** A refusal is no exception: the caller displays the reason. */
export type SignInResult = ({ token: string; userId: Types.ObjectId } | Refused) & {
  /** A recovery code was used up. */
  isRecovery?: boolean;
  isNew?: boolean;
  hasNewRights?: boolean;
};

/** A sign-in with the name of the account; '' if it is unknown. */
export type NamedSignIn = SignInResult & { username: string };

export interface Refused {
  refusal: RefusalKey;
  userId?: Types.ObjectId;
  /** The password was right: `signInByCode` continues with it. */
  challenge?: string;
}

/** An account with the hash against which its password was verified. */
type Proven = Pick<UserDocument, '_id' | 'passwordHash'>;

/** Time after which a deleted account is checked again for data written by concurrent requests, in ms. */
const recheckAfterMs = 600_000;

export type Accounts = ReturnType<typeof createAccounts>;

export function createAccounts(deps: {
  models: AccountModels;
  sessions: Sessions;
  guests: Guests;
  owned: OwnedData;
  secondFactors: SecondFactors;
  roles: Pick<Roles, 'claimFirst'>;
  rights: Pick<Rights, 'has'>;
  /** Limits the accounts that are created, of all addresses together. */
  newAccounts: RateLimit;
  config: Pick<Config, 'registration' | 'signIn'>;
}) {
  const { models, sessions, guests, owned, secondFactors, roles, rights, newAccounts, config } = deps;
  const { users, identities, challenges, passkeys } = models;

  /** Signs in to an account whose owner has proven to be it. `provider` is the session at a provider that proves it. */
  async function startSession(
    user: Proven,
    { guestId, device }: Visit,
    provider?: ProviderSession,
  ): Promise<SignInResult> {
    const token = await sessions.start(user._id, device, provider);
    // Changing the password and disabling the account end all sessions. This one may have started afterwards.
    const { matchedCount } = await users.updateOne(
      { _id: user._id, passwordHash: user.passwordHash, disabledAt: null },
      { $set: { signedInAt: databaseDate() } },
    );
    if (matchedCount === 0) {
      const session = await sessions.find(token);
      if (session) await sessions.end(user._id, session.sessionId.toHexString());
      return { refusal: 'wrong_sign_in', userId: user._id };
    }
    if (guestId) await guests.adopt(guestId, user._id);
    return { token, userId: user._id };
  }

  /** The account of this name and password, unless it may not sign in with them. */
  async function prove(given: Pick<Credentials, 'username' | 'password'>): Promise<UserDocument | Refused> {
    const { username, password } = given;
    const user = await users.findOne({ nameKey: nameKeyOf(username), deletedAt: null }).lean();
    const isCorrect = await verifyPassword(user?.passwordHash, password.trim().slice(0, 1024));
    if (!user || !isCorrect) return { refusal: 'wrong_sign_in', ...(user && { userId: user._id }) };
    return user.disabledAt ? { refusal: 'account_disabled', userId: user._id } : user;
  }

  /** Why the account may not sign in here, without a provider; null: it may. */
  function refuseLocal(user: UserDocument): RefusalKey | null {
    if (user.disabledAt) return 'account_disabled';
    return config.signIn.isLocal || rights.has(user, 'administer') ? null : 'local_sign_in_off';
  }

  async function findByPassword(userId: Types.ObjectId, password: string): Promise<UserDocument | null> {
    const user = await users.findOne({ _id: userId, deletedAt: null }).lean();
    return (await verifyPassword(user?.passwordHash, password.trim())) ? user : null;
  }

  async function removeEverything(userId: Types.ObjectId): Promise<void> {
    await sessions.endAll(userId);
    await identities.deleteMany({ userId });
    await challenges.deleteMany({ userId });
    await passkeys.deleteMany({ userId });
    await owned.remove(userOwner(userId));
  }

  /** Waits until its data is removed from all database files, unless that takes too long. */
  async function removePermanently(userId: Types.ObjectId): Promise<void> {
    await removeEverything(userId);
    const name = { $set: { username: '' } };
    const written = users.updateOne({ _id: userId }, name, { writeConcern: secureDelete }).exec();
    // The account is deleted in any case; `resume` requests this again when it deletes the account document.
    const quietly = written.catch(() => undefined);
    await within(secureDeleteTimeoutMs, quietly);
  }

  async function removeUser(userId: Types.ObjectId): Promise<void> {
    const nameKey = `\n${userId.toHexString()}`;
    const nothing = { username: '', passwordHash: '', secondFactor: null, roles: [], groups: [] };
    // The atomic decision: the name becomes free, and nobody can sign in.
    await users.updateOne({ _id: userId }, { $set: { deletedAt: databaseDate(), nameKey, ...nothing } });
    await removePermanently(userId);
  }

  return {
    /** @throws rate_limited if too many accounts are being created; link_over if the invitation is to be the first account, and it is not */
    async signUp(
      credentials: Credentials,
      { mayBeFirst = false, invited }: SignUpOptions = {},
    ): Promise<SignInResult> {
      if (!invited && (config.registration === 'closed' || !config.signIn.isLocal))
        return { refusal: 'registration_closed' };
      const username = accountName(credentials.username);
      const password = credentials.password.trim();
      const refusal = refuseName(username) ?? refusePassword(password, username);
      if (refusal) return { refusal };
      const nameKey = nameKeyOf(username);
      if (await users.findOne({ nameKey }, { _id: 1 }).lean()) return { refusal: 'name_taken' };
      if (invited) await invited.claim();
      else await newAccounts.take('all');
      const _id = new Types.ObjectId();
      const passwordHash = await hashPassword(password);
      const given = invited && invited.roles.length > 0 ? { roles: [...invited.roles] } : {};
      const user = { _id, username, nameKey, passwordHash, createdAt: databaseDate(), ...given };
      if (!(await unlessDuplicate(users.create(user)))) return { refusal: 'name_taken' };
      const isFirst = mayBeFirst && (await roles.claimFirst(_id.toHexString()));
      if (mayBeFirst && invited && !isFirst) {
        await users.deleteOne({ _id });
        throw new ApiError('link_over');
      }
      const hasNewRights = isFirst || 'roles' in given;
      return { ...(await startSession({ _id, passwordHash }, credentials)), isNew: true, hasNewRights };
    },

    async signIn(credentials: Credentials): Promise<SignInResult> {
      const user = await prove(credentials);
      if ('refusal' in user) return user;
      const refusal = refuseLocal(user);
      if (refusal) return { refusal, userId: user._id };
      if (!secondFactors.isOn(user)) return startSession(user, credentials);
      return { refusal: 'code_needed', userId: user._id, challenge: await secondFactors.challenge(user) };
    },

    /** The second step of `signIn`, with a code or a recovery code. */
    async signInByCode(challenge: string, code: string, visit: Visit): Promise<NamedSignIn> {
      const user = await secondFactors.challenged(challenge);
      const over = { refusal: 'challenge_over', username: '' } as const;
      if (!user) return over;
      const { username } = user;
      const accepted = await secondFactors.accept(user, code);
      if (!accepted) return { refusal: 'wrong_code', userId: user._id, challenge, username };
      const isRecovery = accepted === 'recovery_code';
      // Of two uses at the same time, one succeeds.
      const isFirst = await secondFactors.takeChallenge(challenge, { kind: 'code', userId: user._id });
      return { ...(isFirst ? await startSession(user, visit) : over), username, isRecovery };
    },

    prove,
    refuseLocal,
    startSession,

    /** The account if it is its password. */
    findByPassword,

    /** Ends all other sessions. null: success. */
    async changePassword(userId: Types.ObjectId, sessionId: Types.ObjectId, current: string, next: string) {
      const user = await findByPassword(userId, current);
      if (!user) return 'wrong_password';
      const refusal = refusePassword(next.trim(), user.username);
      if (refusal) return refusal;
      const passwordHash = await hashPassword(next.trim());
      await users.updateOne({ _id: userId, deletedAt: null }, { $set: { passwordHash } });
      await sessions.endAll(userId, sessionId);
      return null;
    },

    /**
     * Sets the password once `claim` has resolved, removes the second factor and all passkeys, ends all sessions and starts one.
     * @throws notFound('account')
     */
    async resetPassword(
      userId: Types.ObjectId,
      { password, ...visit }: Credentials,
      claim: () => Promise<void>,
    ): Promise<NamedSignIn & { hadSecondFactor?: boolean }> {
      const user = await users.findOne({ _id: userId, deletedAt: null }).lean();
      if (!user) throw notFound('account');
      const { username } = user;
      const next = password.trim();
      const refusal = user.disabledAt ? 'account_disabled' : refusePassword(next, username);
      if (refusal) return { refusal, userId, username };
      await claim();
      const passwordHash = await hashPassword(next);
      await users.updateOne({ _id: userId, deletedAt: null }, { $set: { passwordHash, secondFactor: null } });
      const { deletedCount } = await passkeys.deleteMany({ userId });
      await sessions.endAll(userId);
      const hadSecondFactor = secondFactors.isOn(user) || deletedCount > 0;
      return { ...(await startSession({ _id: userId, passwordHash }, visit)), username, hadSecondFactor };
    },

    /** Deletes the account with everything in it. */
    remove: removeUser,

    /** Deletes the accounts whose deletion can no longer be undone. */
    async removeDue(): Promise<void> {
      const isDue = { deleteAt: { $lte: databaseDate() }, deletedAt: null };
      const due = await users.find(isDue, { _id: 1 }).lean();
      for (const { _id } of due) await removeUser(_id);
    },

    /** Completes deletions that a crash interrupted. */
    async resume(): Promise<void> {
      const deleted = await users.find({ deletedAt: { $ne: null } }, { deletedAt: 1 }).lean();
      for (const { _id, deletedAt } of deleted) {
        await removeEverything(_id);
        const isPast = deletedAt && databaseNow() - deletedAt.getTime() > recheckAfterMs;
        if (isPast) await users.deleteOne({ _id }, { writeConcern: secureDelete });
      }
    },
  };
}

/** argon2id at its default cost (19 MiB, 2 passes), in its own threads. A start does not need it. */
const argon2 = () => import('@node-rs/argon2');

let dummyHash: Promise<string> | undefined;

async function hashPassword(password: string): Promise<string> {
  return (await argon2()).hash(password);
}

/** Takes the same time for an unknown name (`hash` undefined) as for a known one. */
async function verifyPassword(hash: string | undefined, password: string): Promise<boolean> {
  dummyHash ??= hashPassword(randomBytes(16).toString('hex'));
  const against = hash || (await dummyHash);
  const isCorrect = await (await argon2()).verify(against, password);
  return isCorrect && Boolean(hash);
}
