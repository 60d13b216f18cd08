import { Types } from 'mongoose';
import { databaseDate } from '../store/database-clock.ts';
import type { AccountModels, UserDocument } from './account-models.ts';
import { findActive } from './groups.ts';
import type { Rights } from './rights.ts';

export type Operators = ReturnType<typeof createOperators>;

export function createOperators(
  models: Pick<AccountModels, 'users' | 'sessions' | 'groups'>,
  rights: Pick<Rights, 'has'>,
) {
  /** null unless the account exists, may sign in and has the right. */
  async function find(_id: Types.ObjectId): Promise<UserDocument | null> {
    const found = await findActive(models, _id);
    return found && rights.has(found, 'operate') ? found : null;
  }

  return {
    find,
    /** The operator whose session has this id, while it lasts. */
    async findBySession(id: string): Promise<UserDocument | null> {
      const lasting = { _id: new Types.ObjectId(id), expiresAt: { $gt: databaseDate() } };
      const session = await models.sessions.findOne(lasting).lean();
      return session && find(session.userId);
    },
  };
}
