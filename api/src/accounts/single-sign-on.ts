import { randomBytes } from 'node:crypto';
import { Types } from 'mongoose';
import type { ConfiguredProvider } from '../config/configured-sign-in.ts';
import { databaseDate } from '../store/database-clock.ts';
import { unlessDuplicate } from '../store/store-failure.ts';
import { type AccountModels, identityId, type UserDocument } from './account-models.ts';
import { accountName, nameKeyOf, refuseName } from './account-rules.ts';
import type { Accounts, Credentials, NamedSignIn, SignInResult, Visit } from './accounts.ts';
import type { Groups } from './groups.ts';
import type { ProvidedPerson } from './providers.ts';
import type { Rights } from './rights.ts';
import type { SecondFactors } from './second-factors.ts';

/** Numbers that are appended to a name that is taken. */
const maxSuffix = 50;
/** Characters of a name by claim, before a number. */
const maxNameLength = 58;

/**
 * Accounts of people who sign in at a provider. Issuer and subject identify a person; user names are only displayed. An existing account is
 * linked once its password was entered.
 */
export function createSingleSignOn(deps: {
  models: Pick<AccountModels, 'users' | 'identities' | 'sessions'>;
  accounts: Pick<Accounts, 'prove' | 'startSession'>;
  secondFactors: Pick<SecondFactors, 'isOn' | 'accept'>;
  rights: Pick<Rights, 'rolesOf' | 'has'>;
  groups: Pick<Groups, 'afterSignIn'>;
  providers: readonly ConfiguredProvider[];
}) {
  const { models, accounts, secondFactors, rights, groups, providers } = deps;
  const { users, identities, sessions } = models;

  const idOf = ({ issuer, subject }: ProvidedPerson) => identityId(issuer, subject);

  /** Sets the roles that the person's provider decides as the claim says; other roles, and the last administrator, stay. Returns whether roles change. */
  async function applyRoles(user: UserDocument, { provider, roles }: ProvidedPerson): Promise<boolean> {
    const decided = Object.values(providers.find(({ id }) => id === provider)?.roles ?? {}).flat();
    if (decided.length === 0) return false;
    const before = rights.rolesOf(user);
    const next = [...before.filter((role) => !decided.includes(role)), ...roles];
    const isSame = next.length === before.length && next.every((role) => before.includes(role));
    if (isSame) return false;
    await users.updateOne({ _id: user._id }, { $set: { roles: [...new Set(next)] } });
    const isLost = rights.has(user, 'administer') && !rights.has({ roles: next }, 'administer');
    if (isLost && !(await users.exists({ roles: 'administrator', deletedAt: null, disabledAt: null })))
      await users.updateOne({ _id: user._id }, { $addToSet: { roles: 'administrator' } });
    return true;
  }

  /** Groups with a claim follow it; returns whether they change. */
  async function applyGroups({ _id, groups: before }: UserDocument, values: string[]): Promise<boolean> {
    const next = await groups.afterSignIn(before ?? [], values);
    await users.updateOne({ _id }, { $set: { groups: next } });
    return next.length !== (before ?? []).length || next.some((id) => !before?.includes(id));
  }

  async function start(user: UserDocument, person: ProvidedPerson, visit: Visit): Promise<SignInResult> {
    if (user.disabledAt) return { refusal: 'account_disabled', userId: user._id };
    const hasNewRoles = await applyRoles(user, person);
    const hasNewGroups = person.groups !== undefined && (await applyGroups(user, person.groups));
    const { provider, sid } = person;
    const started = await accounts.startSession(user, visit, { provider, sid });
    return { ...started, hasNewRights: hasNewRoles || hasNewGroups };
  }

  /** Unless another request has just done it; the account is the same then. */
  async function createUser(_id: Types.ObjectId, person: ProvidedPerson): Promise<UserDocument> {
    for (const username of candidates(person)) {
      const nameKey = nameKeyOf(username);
      if (await users.exists({ nameKey })) continue;
      const made = { _id, username, nameKey, passwordHash: '', createdAt: databaseDate() };
      await unlessDuplicate(users.create(made));
      const user = await users.findById(_id).lean();
      if (user) return user;
    }
    throw new Error('expected a free user name');
  }

  async function findUser(person: ProvidedPerson): Promise<UserDocument | null> {
    const identity = await identities.findById(idOf(person)).lean();
    if (!identity) return null;
    const user = await users.findById(identity.userId).lean();
    if (user?.deletedAt) return null;
    // A crash may have happened between the two writes.
    return user ?? createUser(identity.userId, person);
  }

  async function create(person: ProvidedPerson, visit: Visit): Promise<NamedSignIn> {
    const link = { userId: new Types.ObjectId(), createdAt: databaseDate() };
    const isNew = await unlessDuplicate(identities.create({ _id: idOf(person), ...link }));
    const user = await findUser(person);
    if (!user) throw new Error('the account is being deleted');
    return { ...(await start(user, person, visit)), username: user.username, isNew };
  }

  return {
    /** null: nobody has this identity yet, and there is a local account with the name: `create` or `link` decides. */
    async signIn(person: ProvidedPerson, visit: Visit): Promise<NamedSignIn | { isNamed: string }> {
      const user = await findUser(person);
      if (user) return { ...(await start(user, person, visit)), username: user.username };
      const [name] = candidates(person);
      const namesake = await users.findOne({ nameKey: nameKeyOf(name!), deletedAt: null }).lean();
      return namesake?.passwordHash ? { isNamed: namesake.username } : create(person, visit);
    },

    /** Completes the sign-in with a new account, even if there is one with the same name. */
    create,

    /** Completes the sign-in with an existing account, after its password was given, and a code if it has a second factor. */
    async link(
      person: ProvidedPerson,
      { code, ...credentials }: Credentials & { code?: string | undefined },
    ): Promise<NamedSignIn> {
      const { username } = credentials;
      const proven = await accounts.prove(credentials);
      if ('refusal' in proven) return { ...proven, username };
      const isCodeNeeded = secondFactors.isOn(proven);
      const accepted = isCodeNeeded && code ? await secondFactors.accept(proven, code) : null;
      if (isCodeNeeded && !accepted)
        return { refusal: code ? 'wrong_code' : 'code_needed', userId: proven._id, username };
      const link = { userId: proven._id, createdAt: databaseDate() };
      await unlessDuplicate(identities.create({ _id: idOf(person), ...link }));
      const user = await findUser(person);
      // Another request has just linked it differently.
      if (!user?._id.equals(proven._id)) return { refusal: 'wrong_sign_in', username };
      const isRecovery = accepted === 'recovery_code';
      return { ...(await start(user, person, credentials)), username: user.username, isRecovery };
    },

    /** Ends the session `sid` of a provider, or without it all of a person there. Resolves with the accounts concerned. */
    async endSessions(
      provider: string,
      { issuer, subject, sid }: { issuer: string; subject?: string; sid?: string },
    ): Promise<Types.ObjectId[]> {
      const whose =
        sid === undefined
          ? await identities.findById(identityId(issuer, subject ?? ''), { _id: 0, userId: 1 }).lean()
          : { providerSid: sid };
      if (!whose) return [];
      const ended = { provider, ...whose };
      const found = await sessions.find(ended, { userId: 1 }).lean();
      await sessions.deleteMany(ended);
      return [...new Map(found.map(({ userId }) => [userId.toHexString(), userId])).values()];
    },
  };
}

/** Possible user names of a person, the best first. */
function* candidates({ provider, names }: ProvidedPerson): Generator<string> {
  const shown = names.map((name) =>
    accountName(name.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu, '')),
  );
  const own = shown.map((name) => [...name].slice(0, maxNameLength).join(''));
  const accepted = own.filter((name) => refuseName(name) === null).slice(0, 1);
  for (const name of accepted) {
    yield name;
    for (let n = 2; n <= maxSuffix; n += 1) yield `${name}-${n}`;
  }
  for (let n = 0; n < maxSuffix; n += 1) yield `${provider}-${randomBytes(4).toString('hex')}`;
}
