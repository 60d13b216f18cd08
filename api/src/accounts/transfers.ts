import { Types } from 'mongoose';
import type { PersonTransfer, SharedThings } from '../contract/people.ts';
import { ApiError, notFound } from '../errors/errors.ts';
import type { Jobs } from '../store/jobs/jobs.ts';
import { toObjectId } from '../store/object-id.ts';
import type { AccountModels, UserDocument } from './account-models.ts';
import { nameKeyOf } from './account-rules.ts';
import { findActive } from './groups.ts';
import type { Holder } from './rights.ts';

/** Maximum time for which a request waits for the transfer, in ms. */
const waitMs = 10_000;

/** Data of another domain that accounts are responsible for. Both calls can be repeated after an interruption. */
export interface Responsibilities {
  count(from: Types.ObjectId): PromiseLike<number>;
  transfer(from: Types.ObjectId, to: UserDocument & Holder): Promise<void>;
}

export type Transfers = ReturnType<typeof createTransfers>;

/** Transfers shared data that an account is responsible for to another account; see decision 139. */
export function createTransfers(deps: {
  models: Pick<AccountModels, 'users' | 'groups'>;
  shared: Record<keyof SharedThings, Responsibilities>;
  jobs: Pick<Jobs, 'add' | 'whenDone'>;
}) {
  const { models, shared, jobs } = deps;
  const { users } = models;
  const kind = 'transfer shared things';

  async function count(from: Types.ObjectId): Promise<SharedThings> {
    const [collections, handovers] = await Promise.all([
      shared.collections.count(from),
      shared.handovers.count(from),
    ]);
    return { collections, handovers };
  }

  /** @throws notFound('account') */
  async function existing(id: string): Promise<Types.ObjectId> {
    const _id = toObjectId(id, 'account');
    if (!(await users.exists({ _id, deletedAt: null }))) throw notFound('account');
    return _id;
  }

  return {
    kind,

    /** @throws notFound('account') */
    read: async (id: string): Promise<SharedThings> => count(await existing(id)),

    /**
     * Returns the id of the account that gets everything, and the parts that are not transferred yet.
     * @throws notFound('account'), transfer_to unless that is another account that may sign in
     */
    async start(id: string, { to }: PersonTransfer): Promise<{ to: string; left: SharedThings }> {
      const from = await existing(id);
      const nameKey = nameKeyOf(to);
      const heir = await users.findOne({ nameKey, deletedAt: null, disabledAt: null }, { _id: 1 }).lean();
      if (!heir || heir._id.equals(from)) throw new ApiError('transfer_to');
      const data = heir._id.toHexString();
      await jobs.add(kind, { key: from.toHexString(), data });
      await jobs.whenDone(kind, from.toHexString(), waitMs);
      return { to: data, left: await count(from) };
    },

    /** The job. Data whose new account was disabled or deleted meanwhile is not transferred. */
    async run({ key, data }: { key: string; data: string }): Promise<void> {
      const heir = await findActive(models, data);
      if (!heir) return;
      for (const one of Object.values(shared)) await one.transfer(new Types.ObjectId(key), heir);
    },
  };
}
