import type { Types } from 'mongoose';
import type { z } from 'zod';
import { type PeoplePage, type PeopleSearch, Person, type PersonChange } from '../contract/people.ts';
import { ApiError, notFound } from '../errors/errors.ts';
import { readPage } from '../store/cursor.ts';
import { databaseDate, databaseNow } from '../store/database-clock.ts';
import { describeAs } from '../store/describe-as.ts';
import { toObjectId } from '../store/object-id.ts';
import type { AccountModels, UserDocument } from './account-models.ts';
import { nameKeyOf } from './account-rules.ts';
import type { Groups } from './groups.ts';
import type { Rights } from './rights.ts';
import type { SecondFactors } from './second-factors.ts';
import type { Sessions } from './sessions.ts';

const listName = 'people';
const day = 86_400_000;

export function createPeople(
  { users, sessions: sessionModel }: Pick<AccountModels, 'users' | 'sessions'>,
  deps: {
    rights: Rights;
    sessions: Pick<Sessions, 'endAll'>;
    groups: Pick<Groups, 'existing'>;
    secondFactors: Pick<SecondFactors, 'isOn'>;
    undoDays: number;
  },
) {
  const { rights, sessions, groups, secondFactors, undoDays } = deps;

  async function devicesOf(found: readonly UserDocument[]): Promise<Map<string, number>> {
    const groups: { _id: Types.ObjectId; count: number }[] = await sessionModel.aggregate([
      { $match: { userId: { $in: found.map(({ _id }) => _id) }, expiresAt: { $gt: databaseDate() } } },
      { $group: { _id: '$userId', count: { $sum: 1 } } },
    ]);
    return new Map(groups.map(({ _id, count }) => [_id.toHexString(), count]));
  }

  async function toPeople(found: readonly UserDocument[]): Promise<Person[]> {
    const devices = await devicesOf(found);
    return found.map((user) =>
      describeAs(Person, {
        ...user,
        roles: rights.rolesOf(user),
        groups: user.groups ?? [],
        isDisabled: Boolean(user.disabledAt),
        deleteAt: user.deleteAt ?? null,
        signedInAt: user.signedInAt ?? null,
        sessions: devices.get(user._id.toHexString()) ?? 0,
        signsInBy: !user.passwordHash ? 'provider' : secondFactors.isOn(user) ? 'secondFactor' : 'password',
      }),
    );
  }

  /** @throws notFound('account') */
  async function write(_id: Types.ObjectId, fields: Partial<UserDocument>): Promise<UserDocument> {
    const user = await users
      .findOneAndUpdate({ _id, deletedAt: null }, { $set: fields }, { returnDocument: 'after' })
      .lean();
    if (!user) throw notFound('account');
    return user;
  }

  /** `deleteAt`: when an account that is disabled is deleted. */
  async function change(id: string, { roles, groups: given, isDisabled }: PersonChange, deleteAt?: Date) {
    const _id = toObjectId(id, 'account');
    const before = await users.findOne({ _id, deletedAt: null }).lean();
    if (!before) throw notFound('account');
    const { disabledAt = null, deleteAt: wasDeletedAt = null } = before;
    const changed = await write(_id, {
      ...(roles && { roles: [...new Set(roles)] }),
      ...(given && { groups: await groups.existing(given) }),
      ...(isDisabled !== undefined && {
        disabledAt: isDisabled ? (disabledAt ?? databaseDate()) : null,
        deleteAt: isDisabled ? (deleteAt ?? wasDeletedAt) : null,
      }),
    });
    const isAdministrator = (user: UserDocument) => rights.has(user, 'administer') && !user.disabledAt;
    if (isAdministrator(before) && !isAdministrator(changed)) {
      // Counted afterwards: of two who remove each other, at least one is told that nobody would be left.
      const left = await users.exists({ roles: 'administrator', deletedAt: null, disabledAt: null });
      if (!left) {
        await write(_id, { roles: before.roles ?? null, disabledAt, deleteAt: wasDeletedAt });
        throw new ApiError('last_administrator');
      }
    }
    if (changed.disabledAt) await sessions.endAll(_id);
    const [person] = await toPeople([changed]);
    return person!;
  }

  return {
    /** Accounts whose names begin with `q`, with `role` and in `group`, sorted by name. */
    async search({ q, role, group, limit, cursor }: z.infer<typeof PeopleSearch>): Promise<PeoplePage> {
      const prefix = nameKeyOf(q);
      const list = JSON.stringify([listName, prefix, role, group]);
      const wanted = {
        deletedAt: null,
        ...(role ? { roles: role } : {}),
        ...(group ? { groups: group } : {}),
        ...(prefix === '' ? {} : { nameKey: { $gte: prefix, $lt: `${prefix}\u{10ffff}` } }),
      };
      const { page, nextCursor } = await readPage(users, { nameKey: 1 }, list, { limit, cursor }, wanted);
      return { people: await toPeople(page), nextCursor };
    },

    /** Roles, and whether it is enabled; its sessions end. @throws notFound('account'), last_administrator */
    change,

    /** Disables the account, and deletes it with everything after UNDO_DAYS unless it is enabled before. @throws as `change` */
    remove: (id: string): Promise<Person> =>
      change(id, { isDisabled: true }, new Date(databaseNow() + undoDays * day)),
  };
}
