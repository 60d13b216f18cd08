import { Types } from 'mongoose';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import type { GivenRole } from '../contract/rights.ts';
import { notFound } from '../errors/errors.ts';
import { upgradeOnce } from '../store/setting.ts';
import type { AccountModels, UserDocument } from './account-models.ts';
import { nameKeyOf } from './account-rules.ts';
import type { Rights } from './rights.ts';

/**
 * The setting that decides who became administrator without being named by operators: its value is the id of
 * the account, '' before the first account of a new store, and 'nobody' if there was none in an older store. It
 * is never changed again, so that the role is not inherited when the account is deleted.
 */
const firstId = 'first_administrator';

/** Fields of earlier versions that decided the rights of an account. */
interface EarlierRights {
  isFirst?: boolean;
  isEditor?: boolean | null;
  isAdministrator?: boolean | null;
}

export type Roles = ReturnType<typeof createRoles>;

/** Gives roles to accounts. A role belongs to an account, not to a name. */
export function createRoles(
  { users, settings }: Pick<AccountModels, 'users' | 'settings'>,
  rights: Rights,
  { editors: names }: Pick<Config, 'editors'>,
  log: Pick<Logger, 'info' | 'warn'>,
) {
  /** Replaces the roles that `rights` assumes as long as nobody has changed the roles of an account. */
  const settle = (filter: object) =>
    users.updateOne({ ...filter, deletedAt: null, roles: null }, { $set: { roles: rights.rolesOf({}) } });

  /** null: there is no such account. */
  async function change(filter: object, roles: readonly GivenRole[], isGiven: boolean) {
    const there = { ...filter, deletedAt: null };
    await settle(filter);
    for (const one of roles)
      await users.updateOne(there, isGiven ? { $addToSet: { roles: one } } : { $pull: { roles: one } });
    return users.findOne(there).lean();
  }

  /** The accounts that have been given one of `roles`, the oldest first. */
  async function holders(roles: readonly GivenRole[]): Promise<UserDocument[]> {
    const given = { roles: { $in: roles }, deletedAt: null };
    return users.find(given).sort({ createdAt: 1 }).limit(1000).lean();
  }

  async function adoptName(name: string): Promise<void> {
    const nameKey = nameKeyOf(name);
    const _id = `editor_name ${nameKey}`;
    if (await settings.findById(_id).lean()) return;
    const user = await change({ nameKey }, ['editor'], true);
    if (user)
      log.info({ event: 'permission_changed', account: user._id.toHexString(), ip: null }, 'security');
    else
      log.warn(
        { name },
        'EDITORS names an unknown account. After it has been created: npm run accounts -- editor add <username>',
      );
    const value = user ? user._id.toHexString() : 'nobody';
    await settings.updateOne({ _id }, { $setOnInsert: { value } }, { upsert: true });
  }

  /** The account that is administrator without being named by operators: '' or 'nobody' if there is none. */
  async function decideFirst(): Promise<string> {
    // Not one whom a provider has signed in: the provider's roles decide.
    const local = { deletedAt: null, passwordHash: { $ne: '' } };
    const oldest = await users.findOne(local, { _id: 1 }).sort({ createdAt: 1, _id: 1 }).lean();
    const hadAccounts = oldest !== null || (await settings.findById('first_account').lean()) !== null;
    const value = oldest?._id.toHexString() ?? (hadAccounts ? 'nobody' : '');
    await settings.updateOne({ _id: firstId }, { $setOnInsert: { value } }, { upsert: true });
    return (await settings.findById(firstId).lean())?.value ?? '';
  }

  /** Accounts of earlier versions keep their rights. Several processes may do this at once. */
  async function upgrade(first: string): Promise<boolean> {
    const either = { $in: [true, false] };
    const known = [{ isFirst: true }, { isEditor: either }, { isAdministrator: either }];
    const earlier: (UserDocument & EarlierRights)[] = await users
      .find({ roles: null, deletedAt: null, $or: known })
      .lean();
    for (const { _id, isFirst, isEditor, isAdministrator } of earlier) {
      const roles: GivenRole[] = (isAdministrator ?? _id.toHexString() === first) ? ['administrator'] : [];
      if (isEditor ?? isFirst) roles.push('editor', 'agent');
      await users.updateOne({ _id, roles: null }, { $set: { roles } });
    }
    return true;
  }

  /** Unless its roles have been changed already. */
  async function grantFirst(id: string): Promise<void> {
    await users.updateOne({ _id: id, deletedAt: null, roles: null }, { $set: { roles: ['administrator'] } });
  }

  return {
    /** Gives or takes roles of the account with this name. @throws notFound('account') */
    async change(username: string, roles: readonly GivenRole[], isGiven: boolean): Promise<UserDocument> {
      const user = await change({ nameKey: nameKeyOf(username) }, roles, isGiven);
      if (!user) throw notFound('account');
      return user;
    },
    holders,

    /** Whether a new desk has no administrator yet. */
    isFirstMissing: async (): Promise<boolean> =>
      (await settings.exists({ _id: firstId, value: '' })) !== null,

    /** Makes the account administrator if there has never been one. Of several simultaneous calls one succeeds. Returns whether this one did. */
    async claimFirst(id: string): Promise<boolean> {
      const missing = { _id: firstId, value: '' };
      const { modifiedCount } = await settings.updateOne(missing, { $set: { value: id } });
      if (modifiedCount === 1) await grantFirst(id);
      return modifiedCount === 1;
    },

    /**
     * Called at the start. Each name in EDITORS is applied once, at the first start that lists it: an account
     * created later with that name gets nothing.
     */
    async adopt(): Promise<void> {
      const first = await decideFirst();
      await upgradeOnce(settings, 'roles_version', '1', () => upgrade(first));
      if (Types.ObjectId.isValid(first)) await grantFirst(first);
      if (first !== '' && (await holders(['administrator'])).length === 0)
        log.warn('nobody may change the settings: npm run accounts -- admin add <username>');
      for (const name of names) if (name !== '*') await adoptName(name);
      if (names.includes('*'))
        log.info(
          'EDITORS=*: everyone signed in may change the knowledge base. People are answered by agents only: npm run accounts -- editor add <username>',
        );
    },
  };
}
