import { afterAll, expect, test } from '@jest/globals';
import { readConfig } from '../config/config.ts';
import { createOwnedRecords } from '../records/owned-records.ts';
import { finishedRecord, openTestModels } from '../testing/open-test-models.ts';
import { createAccounts } from './accounts.ts';
import { createGuests, userOwner } from './guests.ts';
import { createRights } from './rights.ts';
import { createRoles } from './roles.ts';
import { createSecondFactors } from './second-factors.ts';
import { createSessions } from './sessions.ts';

const opened = await openTestModels();
afterAll(() => opened?.end());

const device = { guestId: null, device: '' };

function arrange() {
  const { connection, models } = opened;
  const config = readConfig({});
  const sessions = createSessions(models, config);
  const owned = createOwnedRecords(models);
  const roles = { claimFirst: async () => false };
  const newAccounts = { take: async () => undefined };
  const guests = createGuests(models, owned, config);
  const rights = createRights(config);
  const secondFactors = createSecondFactors(connection, models, Buffer.from('key'));
  const deps = { models, guests, owned, secondFactors, roles, rights, newAccounts, config };
  return { models, sessions, deps, accounts: createAccounts({ ...deps, sessions }) };
}

test('a concurrent sign-in with the old password gets no session after the password was changed', async () => {
  const { models, sessions, deps, accounts } = arrange();
  await accounts.signUp({ username: 'someone', password: 'the-old-password', ...device });
  const user = await models.users.findOne({ nameKey: 'someone' }).lean();
  const own = await models.sessions.findOne({ userId: user!._id }).lean();

  // The password has been verified; before the session starts, the password is changed and all other sessions
  // are ended.
  const late = createAccounts({
    ...deps,
    sessions: {
      ...sessions,
      async start(userId, name) {
        expect(
          await accounts.changePassword(userId, own!._id, 'the-old-password', 'the-new-password'),
        ).toBeNull();
        return sessions.start(userId, name);
      },
    },
  });
  expect(await late.signIn({ username: 'someone', password: 'the-old-password', ...device })).toMatchObject({
    refusal: 'wrong_sign_in',
  });
  expect(await models.sessions.find({ userId: user!._id }, { _id: 1 }).lean()).toEqual([{ _id: own!._id }]);
});

const minute = 60_000;

test('a deleted account has no session, and data that running requests still write is removed until the account is forgotten', async () => {
  const { models, accounts } = arrange();
  await accounts.signUp({ username: 'leaving', password: 'a long password', ...device });
  const { _id } = (await models.users.findOne({ nameKey: 'leaving' }).lean())!;
  const owner = userOwner(_id);
  const countOf = () => models.records.countDocuments({ owner });
  await accounts.remove(_id);
  expect(await models.sessions.countDocuments({ userId: _id })).toBe(0);
  expect(await accounts.findByPassword(_id, 'a long password')).toBeNull();

  // Written by a request that was running.
  await models.records.create(finishedRecord({ owner }));
  const deletedBefore = (ms: number) =>
    models.users.updateOne({ _id }, { $set: { deletedAt: new Date(Date.now() - ms) } });
  await deletedBefore(9 * minute);
  await accounts.resume();
  expect([await countOf(), await models.users.countDocuments({ _id })]).toEqual([0, 1]);
  await models.records.create(finishedRecord({ owner }));
  await deletedBefore(11 * minute);
  await accounts.resume();
  expect([await countOf(), await models.users.countDocuments({ _id })]).toEqual([0, 0]);
  const again = await accounts.signUp({ username: 'leaving', password: 'a long password', ...device });
  expect(again).toHaveProperty('token');
});

test('accounts are deleted once their deletion can no longer be undone', async () => {
  const { models, accounts } = arrange();
  for (const username of ['due', 'later', 'stays'])
    await accounts.signUp({ username, password: 'a long password', ...device });
  const minute = 60_000;
  const at = (ms: number) => ({ $set: { deleteAt: new Date(Date.now() + ms) } });
  await models.users.updateOne({ nameKey: 'due' }, at(-minute));
  await models.users.updateOne({ nameKey: 'later' }, at(minute));
  await accounts.removeDue();
  const left = await models.users.find({ nameKey: { $in: ['due', 'later', 'stays'] } }).lean();
  expect(left.map(({ username }) => username).sort()).toEqual(['later', 'stays']);
});

test('a role that operators have revoked does not come back, at a start or with another first account', async () => {
  const { models, deps, sessions } = arrange();
  await models.users.deleteMany({});
  await models.settings.deleteMany({});
  const log = { info: () => undefined, warn: () => undefined };
  const roles = createRoles(models, createRights(deps.config), deps.config, log);
  const accounts = createAccounts({ ...deps, roles, sessions });
  await roles.adopt();
  for (const username of ['the first', 'the second'])
    await accounts.signUp({ username, password: 'a long password', ...device }, { mayBeFirst: true });
  const names = async () => (await roles.holders(['administrator'])).map(({ username }) => username);
  expect(await names()).toEqual(['the first']);
  await roles.change('the first', ['administrator'], false);
  await roles.adopt();
  expect(await names()).toEqual([]);
  await accounts.signUp(
    { username: 'the third', password: 'a long password', ...device },
    { mayBeFirst: true },
  );
  expect(await names()).toEqual([]);
});

test('the oldest account with a password becomes the first administrator, not an older one of a provider', async () => {
  const { models, deps } = arrange();
  await models.users.deleteMany({});
  await models.settings.deleteMany({});
  await models.users.insertMany(
    ['provided', 'local', 'later'].map((nameKey, index) => ({
      username: nameKey,
      nameKey,
      passwordHash: nameKey === 'provided' ? '' : 'hash',
      createdAt: new Date(index),
    })),
  );
  const log = { info: () => undefined, warn: () => undefined };
  const roles = createRoles(models, createRights(deps.config), deps.config, log);
  await roles.adopt();
  const names = (await roles.holders(['administrator'])).map(({ username }) => username);
  expect(names).toEqual(['local']);
});

test('accounts of earlier versions keep their rights, and two processes may upgrade them at once', async () => {
  const { models } = arrange();
  await models.users.deleteMany({});
  await models.settings.deleteMany({});
  const earlier = {
    oldest: { isFirst: true, isEditor: null, isAdministrator: true },
    editor: { isEditor: true },
    revoked: { isEditor: false },
    admin: { isEditor: false, isAdministrator: true },
    member: {},
  };
  await models.users.collection.insertMany(
    Object.entries(earlier).map(([nameKey, fields], index) => ({
      username: nameKey,
      nameKey,
      createdAt: new Date(index),
      deletedAt: null,
      ...fields,
    })),
  );
  const config = { editors: ['*'] };
  const log = { info: () => undefined, warn: () => undefined };
  const processes = [1, 2].map(() => createRoles(models, createRights(config), config, log));
  await Promise.all(processes.map((roles) => roles.adopt()));
  const stored = async () =>
    Object.fromEntries(
      (await models.users.find().lean()).map(({ username, roles }) => [username, roles ?? null]),
    );
  const upgraded = {
    oldest: ['administrator', 'editor', 'agent'],
    editor: ['editor', 'agent'],
    revoked: [],
    admin: ['administrator'],
    member: null,
  };
  expect(await stored()).toEqual(upgraded);

  await processes[0]?.change('oldest', ['editor', 'agent'], false);
  await Promise.all(processes.map((roles) => roles.adopt()));
  expect(await stored()).toEqual({ ...upgraded, oldest: ['administrator'] });
});
