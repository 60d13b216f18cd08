import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readConfig } from '../config/config.ts';
import { createOwnedRecords } from '../records/owned-records.ts';
import { finishedRecord, openTestModels } from '../testing/open-test-models.ts';
import { createAccounts } from './accounts.ts';
import { createAdministrators } from './administrators.ts';
import { createGuests, userOwner } from './guests.ts';
import { createSessions } from './sessions.ts';

let opened: Awaited<ReturnType<typeof openTestModels>>;
beforeAll(async () => {
  opened = await openTestModels();
});
afterAll(() => opened?.end());

const device = { guestId: null, device: '' };

function arrange() {
  const { models } = opened;
  const config = readConfig({});
  const sessions = createSessions(models, config);
  const owned = createOwnedRecords(models);
  const administrators = { signedUp: async () => undefined };
  const newAccounts = { take: async () => undefined };
  const guests = createGuests(models, owned, config);
  const deps = { models, guests, owned, administrators, newAccounts, config };
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

test('a deleted account leaves no session, and what was written meanwhile is removed until it is forgotten', async () => {
  const { models, accounts } = arrange();
  await accounts.signUp({ username: 'leaving', password: 'a long password', ...device });
  const { _id } = (await models.users.findOne({ nameKey: 'leaving' }).lean())!;
  const owner = userOwner(_id);
  const countOf = () => models.records.countDocuments({ owner });
  expect(await accounts.remove(_id, 'another password')).toBe('wrong_password');
  expect(await models.sessions.countDocuments({ userId: _id })).toBe(1);
  expect(await accounts.remove(_id, 'a long password')).toBeNull();
  expect(await models.sessions.countDocuments({ userId: _id })).toBe(0);
  expect(await accounts.remove(_id, 'a long password')).toBe('wrong_password');

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

test('the first account is marked by the next start if its process died before, and only that one', async () => {
  const { models, accounts } = arrange();
  await models.users.deleteMany({});
  await models.settings.deleteMany({});
  for (const username of ['oldest', 'younger'])
    await accounts.signUp({ username, password: 'a long password', ...device });
  const first = async () =>
    (await models.users.find({ isFirst: true }).lean()).map(({ username }) => username);
  expect(await first()).toEqual(['oldest']);
  await models.users.updateMany({}, { $set: { isFirst: false } });
  await accounts.resume();
  expect(await first()).toEqual(['oldest']);
});

test('a right that operators have revoked does not come back, at a start or with another first account', async () => {
  const { models, deps, sessions } = arrange();
  await models.users.deleteMany({});
  await models.settings.deleteMany({});
  const administrators = createAdministrators(models, { warn: () => undefined });
  const accounts = createAccounts({ ...deps, administrators, sessions });
  await administrators.adopt();
  for (const username of ['the first', 'the second'])
    await accounts.signUp({ username, password: 'a long password', ...device });
  const names = async () => (await administrators.list()).map(({ username }) => username);
  expect(await names()).toEqual(['the first']);
  await administrators.change('the first', false);
  await administrators.adopt();
  expect(await names()).toEqual([]);
  await accounts.signUp({ username: 'the third', password: 'a long password', ...device });
  expect(await names()).toEqual([]);
});
