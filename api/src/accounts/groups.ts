import { Types } from 'mongoose';
import type { z } from 'zod';
import { Group, type GroupRequest } from '../contract/people.ts';
import type { GivenRole } from '../contract/rights.ts';
import { ApiError, notFound } from '../errors/errors.ts';
import { describeAs } from '../store/describe-as.ts';
import { orConflict } from '../store/store-failure.ts';
import type { AccountModels, GroupDocument, UserDocument } from './account-models.ts';

/** Accounts with the roles of their groups, which are read from the store, so that a change of a group applies to the next request. */
export async function withGroupRoles<T extends { groups?: readonly string[] | null }>(
  groups: AccountModels['groups'],
  accounts: readonly T[],
): Promise<(T & { groupRoles: GivenRole[] })[]> {
  const joined = [...new Set(accounts.flatMap((account) => account.groups ?? []))];
  const found = joined.length > 0 ? await groups.find({ _id: { $in: joined } }, { roles: 1 }).lean() : [];
  const rolesOf = new Map(found.map(({ _id, roles }) => [_id, roles ?? []]));
  return accounts.map((account) => ({
    ...account,
    groupRoles: (account.groups ?? []).flatMap((id) => rolesOf.get(id) ?? []),
  }));
}

/** The account with the roles of its groups; null unless it exists and may sign in. */
export async function findActive(
  { users, groups }: Pick<AccountModels, 'users' | 'groups'>,
  _id: Types.ObjectId | string,
): Promise<(UserDocument & { groupRoles: GivenRole[] }) | null> {
  const user = await users.findOne({ _id, deletedAt: null, disabledAt: null }).lean();
  const [found] = user ? await withGroupRoles(groups, [user]) : [];
  return found ?? null;
}

const maxGroups = 200;

export type Groups = ReturnType<typeof createGroups>;

/** The groups of accounts. @throws notFound('group') for an unknown id, conflict if another group has the name */
export function createGroups({ groups, users }: Pick<AccountModels, 'groups' | 'users'>) {
  async function toGroup(group: GroupDocument): Promise<Group> {
    const members = await users.countDocuments({ groups: group._id, deletedAt: null });
    return describeAs(Group, { ...group, roles: group.roles ?? [], members });
  }

  return {
    /** All groups, sorted by name. */
    async list(): Promise<Group[]> {
      const found = await groups.find().sort({ name: 1 }).limit(maxGroups).lean();
      return Promise.all(found.map(toGroup));
    },

    /** @throws conflict if there are too many, too */
    async add(request: z.output<typeof GroupRequest>): Promise<Group> {
      if ((await groups.countDocuments()) >= maxGroups) throw new ApiError('conflict');
      const group: GroupDocument = { _id: new Types.ObjectId().toHexString(), ...request };
      await orConflict(() => groups.create(group));
      return toGroup(group);
    },

    async change(id: string, request: z.output<typeof GroupRequest>): Promise<Group> {
      const after = { returnDocument: 'after' } as const;
      const changed = await orConflict(() =>
        groups.findOneAndUpdate({ _id: id }, { $set: request }, after).lean(),
      );
      if (!changed) throw notFound('group');
      return toGroup(changed);
    },

    /** Its members lose the rights that they have only through the group. */
    async remove(id: string): Promise<void> {
      const { deletedCount } = await groups.deleteOne({ _id: id });
      if (deletedCount === 0) throw notFound('group');
      await users.updateMany({ groups: id }, { $pull: { groups: id } });
    },

    /** The ids of existing groups among these. */
    async existing(ids: readonly string[]): Promise<string[]> {
      const found = await groups.find({ _id: { $in: [...ids] } }, { _id: 1 }).lean();
      return found.map(({ _id }) => _id);
    },

    /** The groups of an account after a sign-in with these values of the claim: groups without a claim stay. */
    async afterSignIn(before: readonly string[], values: readonly string[]): Promise<string[]> {
      const decided = await groups.find({ claim: { $ne: '' } }, { claim: 1 }).lean();
      const others = before.filter((id) => decided.every(({ _id }) => _id !== id));
      return [...others, ...decided.filter(({ claim }) => values.includes(claim)).map(({ _id }) => _id)];
    },
  };
}
