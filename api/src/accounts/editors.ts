import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import type { EditorInfo } from '../contract/accounts.ts';
import { notFound } from '../errors/errors.ts';
import type { AccountModels } from './account-models.ts';
import { nameKeyOf } from './account-rules.ts';
import type { UserDocument } from './user.ts';

/** Accounts that may change the shared knowledge base. The right belongs to an account, not to a name. */
export interface Editors {
  isEditor(user: Pick<UserDocument, 'isFirst' | 'isEditor'>): boolean;
  list(): Promise<EditorInfo[]>;
  /**
   * Grants or revokes the right of the account with this name, also of the first account. @throws
   * notFound('account')
   */
  change(username: string, isEditor: boolean): Promise<EditorInfo>;
  /**
   * Grants the right to the accounts named in EDITORS. Each name is applied once, at the first start that
   * lists it: an account created later with that name gets nothing. Called at the start.
   */
  adoptNames(): Promise<void>;
}

/**
 * By default the first account has the right, or everyone if EDITORS is `*`; an explicit grant or revocation
 * takes precedence.
 */
export function createEditors(
  { users, settings }: Pick<AccountModels, 'users' | 'settings'>,
  { editors: names }: Pick<Config, 'editors'>,
  log: Pick<Logger, 'info' | 'warn'>,
): Editors {
  const isEveryone = names.includes('*');
  const isEditor: Editors['isEditor'] = (user) => user.isEditor ?? (user.isFirst || isEveryone);
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

    async list() {
      const found = await users
        .find({ deletedAt: null, $or: [{ isEditor: true }, { isFirst: true }] })
        .sort({ createdAt: 1 })
        .limit(1000)
        .lean();
      return found.map(toInfo).filter((one) => one.isEditor);
    },

    async change(username, isNow) {
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

    async adoptNames() {
      for (const name of names) if (name !== '*') await adoptName(name);
    },
  };
}
