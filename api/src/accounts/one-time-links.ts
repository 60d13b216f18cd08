import type { Types } from 'mongoose';
import type { LinkInfo, OneTimeLink } from '../contract/one-time-links.ts';
import type { GivenRole } from '../contract/rights.ts';
import { ApiError, notFound } from '../errors/errors.ts';
import { databaseDate } from '../store/database-clock.ts';
import { toObjectId } from '../store/object-id.ts';
import { hashOf, randomToken } from '../store/random-token.ts';
import type { AccountModels, OneTimeLinkDocument } from './account-models.ts';
import type { Accounts, Credentials, NamedSignIn } from './accounts.ts';
import { findActive } from './groups.ts';
import type { Rights } from './rights.ts';
import type { Setup } from './setup.ts';

/** Time in which a link can be used, in ms. */
const lifetimeMs = 86_400_000;

/**
 * Links that administrators hand over to set a password, which removes the second factor and all passkeys. Each works once, within
 * 24 hours, while its creator is an administrator. Only hashes are stored. The link of a new desk, which creates its
 * administrator, works until there is one.
 */
export function createOneTimeLinks(deps: {
  models: Pick<AccountModels, 'users' | 'links' | 'passkeys' | 'groups'>;
  accounts: Pick<Accounts, 'signUp' | 'resetPassword'>;
  setup: Pick<Setup, 'isOpenToken'>;
  rights: Pick<Rights, 'has'>;
}) {
  const { models, accounts, setup, rights } = deps;
  const { users, links, passkeys } = models;

  async function make(fields: Pick<OneTimeLinkDocument, 'userId' | 'roles' | 'madeBy'>) {
    const token = randomToken();
    const expiresAt = new Date(databaseDate().getTime() + lifetimeMs);
    await links.create({ _id: hashOf(token), ...fields, expiresAt });
    return { token, expiresAt: expiresAt.toISOString() };
  }

  /** @throws link_over */
  async function find(token: string): Promise<OneTimeLinkDocument> {
    const link = await links.findOne({ _id: hashOf(token), expiresAt: { $gt: databaseDate() } }).lean();
    if (!link || (link.madeBy && !(await isAdministrator(link.madeBy)))) throw new ApiError('link_over');
    return link;
  }

  async function isAdministrator(_id: Types.ObjectId): Promise<boolean> {
    const found = await findActive(models, _id);
    return found !== null && rights.has(found, 'administer');
  }

  return {
    /** Replaces earlier ones for the same account. @throws notFound('account') */
    async forPassword(id: string, madeBy: Types.ObjectId): Promise<OneTimeLink> {
      const userId = toObjectId(id, 'account');
      if (!(await users.exists({ _id: userId, deletedAt: null }))) throw notFound('account');
      await links.deleteMany({ userId });
      return make({ userId, roles: [], madeBy });
    },

    forInvitation: (roles: GivenRole[], madeBy: Types.ObjectId): Promise<OneTimeLink> =>
      make({ userId: null, roles, madeBy }),

    /** @throws link_over */
    async read(token: string): Promise<LinkInfo> {
      if (await setup.isOpenToken(token)) return { username: null, isSetup: true };
      const { userId } = await find(token);
      if (!userId) return { username: null };
      const fields = { username: 1, secondFactor: 1 } as const;
      const user = await users.findOne({ _id: userId, deletedAt: null }, fields).lean();
      if (!user) throw new ApiError('link_over');
      const { username, secondFactor } = user;
      const isMore = Boolean(secondFactor?.since) || Boolean(await passkeys.exists({ userId }));
      return { username, ...(isMore && { hasSecondFactor: true }) };
    },

    /** A refused name or password does not use the link up. @throws link_over */
    async use(token: string, credentials: Credentials): Promise<NamedSignIn & { hadSecondFactor?: boolean }> {
      const username = credentials.username.trim();
      if (await setup.isOpenToken(token)) {
        const invited = { roles: [], claim: async () => undefined };
        return { ...(await accounts.signUp(credentials, { mayBeFirst: true, invited })), username };
      }
      const { _id, userId, roles } = await find(token);
      /** Of two uses at the same time, one succeeds. */
      const claim = async () => {
        if ((await links.deleteOne({ _id })).deletedCount === 0) throw new ApiError('link_over');
      };
      return userId
        ? accounts.resetPassword(userId, credentials, claim)
        : { ...(await accounts.signUp(credentials, { invited: { roles, claim } })), username };
    },
  };
}
