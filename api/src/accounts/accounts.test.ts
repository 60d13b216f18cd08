import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readConfig } from '../config/config.ts';
import { createOwnedRecords } from '../records/owned-records.ts';
import { openTestModels } from '../testing/open-test-models.ts';
import { createAccounts } from './accounts.ts';
import { createGuests } from './guests.ts';
import { createSessions } from './sessions.ts';

let opened: Awaited<ReturnType<typeof openTestModels>>;
beforeAll(async () => {
  opened = await openTestModels();
});
afterAll(() => opened?.end());

const device = { guestId: null, device: '' };

test('a concurrent sign-in with the old password gets no session after the password was changed', async () => {
  const { models } = opened;
  const config = readConfig({});
  const sessions = createSessions(models, config);
  const inbox = { adopt: async () => undefined, removeOwner: async () => undefined };
  const owned = createOwnedRecords(models, [], inbox as never);
  const administrators = { signedUp: async () => undefined };
  const deps = { models, guests: createGuests(models, owned, config), owned, administrators, config };
  const accounts = createAccounts({ ...deps, sessions });
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
