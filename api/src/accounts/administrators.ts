import type { Types } from 'mongoose';
import type { UserDocument, UserModel } from './user.ts';

/** Accounts that may change the settings of the desk. */
export interface Administrators {
  isAdministrator(user: Pick<UserDocument, '_id'>): Promise<boolean>;
}

/** The oldest account is the administrator; after it was deleted, the next oldest one. */
export function createAdministrators({ users }: { users: UserModel }): Administrators {
  const oldest = async (): Promise<Types.ObjectId | undefined> => {
    const first = await users.findOne({ deletedAt: null }, { _id: 1 }).sort({ createdAt: 1, _id: 1 }).lean();
    return first?._id;
  };
  return {
    isAdministrator: async ({ _id }) => (await oldest())?.equals(_id) ?? false,
  };
}
