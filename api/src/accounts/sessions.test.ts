import { afterAll, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { readConfig } from '../config/config.ts';
import { openTestModels } from '../testing/open-test-models.ts';
import { createSessions } from './sessions.ts';

const opened = await openTestModels();
afterAll(() => opened?.end());

const minute = 60_000;
const day = 24 * 60 * minute;

test('using a session extends its expiry, at most once per minute', async () => {
  const { models } = opened;
  const userId = new Types.ObjectId();
  await models.users.create({
    _id: userId,
    username: 'someone',
    nameKey: 'someone',
    passwordHash: 'x',
    createdAt: new Date(),
  });
  const sessions = createSessions(models, readConfig({ SESSION_DAYS: '30' }));
  const token = await sessions.start(userId, 'a browser');
  const read = async () => (await models.sessions.findOne({ userId }).lean())!;
  const usedBefore = async (ms: number) => {
    const lastUsedAt = new Date(Date.now() - ms);
    await models.sessions.updateOne({ userId }, { lastUsedAt, expiresAt: new Date(Date.now() + day) });
    return read();
  };

  const justUsed = await usedBefore(minute / 2);
  expect(await sessions.find(token)).toMatchObject({ user: { username: 'someone' } });
  expect(await read()).toEqual(justUsed);

  const idle = await usedBefore(2 * minute);
  await sessions.find(token);
  const { lastUsedAt, expiresAt } = await read();
  expect(lastUsedAt.getTime()).toBeGreaterThan(idle.lastUsedAt.getTime());
  expect(expiresAt.getTime()).toBeGreaterThan(Date.now() + 29 * day);
});

test('sessions that stay open are extended, one that has ended is not', async () => {
  const { models } = opened;
  const sessions = createSessions(models, readConfig({ SESSION_DAYS: '30' }));
  const userId = new Types.ObjectId();
  for (const device of ['open', 'over', 'closed']) await sessions.start(userId, device);
  await models.sessions.updateMany({ userId }, { expiresAt: new Date(Date.now() + day) });
  await models.sessions.updateOne({ userId, device: 'over' }, { expiresAt: new Date(Date.now() - 1) });
  const some = await models.sessions.find({ userId, device: { $in: ['open', 'over'] } }).lean();
  await sessions.extend(some.map(({ _id }) => _id));
  const after = await models.sessions.find({ userId, expiresAt: { $gt: new Date(Date.now() + 29 * day) } });
  expect(after.map(({ device }) => device)).toEqual(['open']);
});

test('an expired session and one of a deleted account are invalid', async () => {
  const { models } = opened;
  const userId = new Types.ObjectId();
  await models.users.create({
    _id: userId,
    username: 'other',
    nameKey: 'other',
    passwordHash: 'x',
    createdAt: new Date(),
  });
  const sessions = createSessions(models, readConfig({}));
  const token = await sessions.start(userId, 'a browser');
  expect(await sessions.find(token)).not.toBeNull();

  await models.sessions.updateOne({ userId }, { expiresAt: new Date(Date.now() - 1) });
  expect(await sessions.find(token)).toBeNull();

  await models.sessions.updateOne({ userId }, { expiresAt: new Date(Date.now() + day) });
  expect(await sessions.find(token)).not.toBeNull();
  await models.users.updateOne({ _id: userId }, { deletedAt: new Date() });
  expect(await sessions.find(token)).toBeNull();
});

test('the list contains the sessions of the account that are still valid, most recently used first', async () => {
  const { models } = opened;
  const [userId, other] = [new Types.ObjectId(), new Types.ObjectId()];
  const sessions = createSessions(models, readConfig({}));
  for (const device of ['first', 'second', 'expired']) await sessions.start(userId, device);
  await sessions.start(other, 'of somebody else');
  const used = (device: string, minutes: number) =>
    models.sessions.updateOne({ device }, { lastUsedAt: new Date(Date.now() - minutes * minute) });
  await used('first', 1);
  await used('second', 2);
  await models.sessions.updateOne({ device: 'expired' }, { expiresAt: new Date() });
  const current = (await models.sessions.findOne({ device: 'second' }).lean())!._id;

  expect(await sessions.list(userId, current)).toMatchObject([
    { device: 'first', current: false },
    { device: 'second', current: true },
  ]);
  await sessions.endAll(userId, current);
  expect(await sessions.list(userId, current)).toMatchObject([{ device: 'second' }]);
  expect(await sessions.list(other, current)).toMatchObject([{ device: 'of somebody else', current: false }]);
  await sessions.endAll(userId);
  expect(await sessions.list(userId, current)).toEqual([]);
});
