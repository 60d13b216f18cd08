import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import type { EditorInfo } from '../contract/accounts.ts';
import { notFound } from '../errors/errors.ts';
import type { AccountModels } from './account-models.ts';
import { nameKeyOf } from './account-rules.ts';
import type { UserDocument } from './user.ts';

/** The fields of an account that decide its rights. */
type Rights = Pick<UserDocument, 'isFirst' | 'isEditor' | 'isAdministrator'>;

export type Editors = ReturnType<typeof createEditors>;

/**
 * Accounts that may change the shared knowledge base, and those that answer people. The right belongs to an
 * account, not to a name.
 * By default the first account and administrators have both rights; an explicit grant or revocation takes
 * precedence.
 */
export function createEditors(
  { users, settings }: Pick<AccountModels, 'users' | 'settings'>,
  { editors: names }: Pick<Config, 'editors'>,
  log: Pick<Logger, 'info' | 'warn'>,
) {
  const isEveryone = names.includes('*');
  /**
   * Whether the account answers people, and so reads their requests, conversations and contact details. `*` in
   * EDITORS grants this to nobody: with open registration that would be everyone.
   */
  const isAgent = ({ isEditor, isFirst, isAdministrator }: Rights): boolean =>
    isEditor ?? (isFirst || isAdministrator === true);
  const isEditor = (user: Rights): boolean => user.isEditor ?? (isEveryone || isAgent(user));
  const toInfo = (user: UserDocument): EditorInfo => ({
    id: user._id.toHexString(),
    username: user.username,
    createdAt: user.createdAt.toISOString(),
    isEditor: isEditor(user),
  });

  async function adoptName(name: string): Promise<void> {
    const nameKey = nameKeyOf(name);
    const _id = `editor_name ${nameKey}`;
    if (await settings.findById(_id).lean()) return;
    const user = await users
      .findOneAndUpdate(
        { nameKey, deletedAt: null },
        { $set: { isEditor: true } },
        { returnDocument: 'after' },
      )
      .lean();
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

  return {
    isEditor,
    isAgent,

    async list(): Promise<EditorInfo[]> {
      const found = await users
        .find({ deletedAt: null, $or: [{ isEditor: true }, { isFirst: true }, { isAdministrator: true }] })
        .sort({ createdAt: 1 })
        .limit(1000)
        .lean();
      return found.filter(isAgent).map(toInfo);
    },

    /**
     * Grants or revokes the right of the account with this name, also of the first account. @throws
     * notFound('account')
     */
    async change(username: string, isNow: boolean): Promise<EditorInfo> {
      const user = await users
        .findOneAndUpdate(
          { nameKey: nameKeyOf(username), deletedAt: null },
          { $set: { isEditor: isNow } },
          { returnDocument: 'after' },
        )
        .lean();
      if (!user) throw notFound('account');
      return toInfo(user);
    },

    /**
     * Grants the right to the accounts named in EDITORS. Each name is applied once, at the first start that
     * lists it: an account created later with that name gets nothing. Called at the start.
     */
    async adoptNames(): Promise<void> {
      for (const name of names) if (name !== '*') await adoptName(name);
      if (isEveryone)
        log.info(
          'EDITORS=*: everyone signed in may change the knowledge base. People are answered by named editors only: npm run accounts -- editor add <username>',
        );
    },
  };
}
