import type { Logger } from 'pino';
import type { AdministratorInfo } from '../contract/accounts.ts';
import { notFound } from '../errors/errors.ts';
import type { AccountModels } from './account-models.ts';
import { nameKeyOf } from './account-rules.ts';
import type { UserDocument } from './user.ts';

/**
 * The setting that decides who became administrator without being named by operators: its value is the id of
 * the account, '' before the first account of a new store, and 'nobody' if there was none in an older store. It
 * is never changed again, so that the right is not inherited when the account is deleted.
 */
const firstId = 'first_administrator';

/** Accounts that may change the settings of the desk: the first one ever, and those that operators name. */
export type Administrators = ReturnType<typeof createAdministrators>;

export function createAdministrators(
  { users, settings }: Pick<AccountModels, 'users' | 'settings'>,
  log: Pick<Logger, 'warn'>,
) {
  const isAdministrator = (user: Pick<UserDocument, 'isAdministrator'>): boolean =>
    user.isAdministrator === true;
  const toInfo = (user: UserDocument): AdministratorInfo => ({
    id: user._id.toHexString(),
    username: user.username,
    createdAt: user.createdAt.toISOString(),
    isAdministrator: isAdministrator(user),
  });

  /** An earlier grant or revocation by operators takes precedence. */
  async function grantFirst(id: string): Promise<void> {
    await users.updateOne(
      { _id: id, deletedAt: null, isAdministrator: null },
      { $set: { isAdministrator: true } },
    );
  }

  async function list(): Promise<AdministratorInfo[]> {
    const found = await users
      .find({ isAdministrator: true, deletedAt: null })
      .sort({ createdAt: 1 })
      .limit(1000)
      .lean();
    return found.map(toInfo);
  }

  return {
    isAdministrator,
    list,

    /** Grants or revokes the right of the account with this name. @throws notFound('account') */
    async change(username: string, isNow: boolean): Promise<AdministratorInfo> {
      const user = await users
        .findOneAndUpdate(
          { nameKey: nameKeyOf(username), deletedAt: null },
          { $set: { isAdministrator: isNow } },
          { returnDocument: 'after' },
        )
        .lean();
      if (!user) throw notFound('account');
      return toInfo(user);
    },

    /** Called for every new account: the first one ever gets the right. */
    async signedUp(id: string): Promise<void> {
      const { modifiedCount } = await settings.updateOne(
        { _id: firstId, value: '' },
        { $set: { value: id } },
      );
      if (modifiedCount === 1) await grantFirst(id);
    },

    /**
     * Called at the start. In a store of an earlier version, the oldest account has the right and keeps it; also
     * completes what a crash interrupted.
     */
    async adopt(): Promise<void> {
      const oldest = await users
        .findOne({ deletedAt: null }, { _id: 1 })
        .sort({ createdAt: 1, _id: 1 })
        .lean();
      const hadAccounts = oldest !== null || (await settings.findById('first_account').lean()) !== null;
      const value = oldest?._id.toHexString() ?? (hadAccounts ? 'nobody' : '');
      await settings.updateOne({ _id: firstId }, { $setOnInsert: { value } }, { upsert: true });
      await settings.updateOne({ _id: firstId, value: '' }, { $set: { value } });
      const first = (await settings.findById(firstId).lean())?.value;
      if (first && first !== 'nobody') await grantFirst(first);
      if (hadAccounts && (await list()).length === 0)
        log.warn('nobody may change the settings: npm run accounts -- admin add <username>');
    },
  };
}
