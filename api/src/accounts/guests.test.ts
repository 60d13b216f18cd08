import { afterAll, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { createOwnedRecords } from '../records/owned-records.ts';
import { openTestModels } from '../testing/open-test-models.ts';
import { createGuests, guestOwner, userOwner } from './guests.ts';

const store = await openTestModels();
afterAll(() => store.end());

let count = 0;

async function recordOf(owner: string, clientId?: string): Promise<Types.ObjectId> {
  const _id = new Types.ObjectId();
  const conversationId = new Types.ObjectId();
  const createdAt = new Date();
  const record = {
    _id,
    owner,
    conversationId,
    kind: 'chat',
    status: 'done',
    question: 'q',
    createdAt,
  } as const;
  await store.models.records.create(clientId ? { ...record, clientId } : record);
  await store.models.conversations.create({
    _id: conversationId,
    owner,
    title: 't',
    createdAt,
    updatedAt: createdAt,
  });
  return _id;
}

async function arrange() {
  const { models } = store;
  const guests = createGuests(models, createOwnedRecords(models), { guestDays: 7 });
  const guestId = `guest-${++count}`;
  const userId = new Types.ObjectId();
  await guests.ensureStored(guestOwner(guestId));
  return { models, guests, guestId, userId, guest: guestOwner(guestId), user: userOwner(userId) };
}

test('an adoption interrupted by a crash is completed at the next start', async () => {
  const { models, guests, guestId, userId, guest, user } = await arrange();
  const [first, second] = [await recordOf(guest), await recordOf(guest)];
  // The state after a crash midway: the decision, and one of two records transferred.
  await models.guests.updateOne({ _id: guestId }, { $set: { adoptedBy: userId } });
  await models.records.updateOne({ _id: first }, { $set: { owner: user } });

  await guests.resume();

  for (const _id of [first, second]) expect((await models.records.findById(_id).lean())?.owner).toBe(user);
  expect(await models.conversations.countDocuments({ owner: user })).toBe(2);
  expect(await guests.recognise(guestId)).toBe(false);
});

test('a client id used by both does not prevent the adoption', async () => {
  const { models, guests, guestId, userId, guest, user } = await arrange();
  await recordOf(user, 'same');
  await recordOf(guest, 'same');
  await recordOf(guest, 'other');

  await guests.adopt(guestId, userId);

  expect(await models.records.countDocuments({ owner: user })).toBe(3);
  expect(await models.records.countDocuments({ owner: guest })).toBe(0);
});

test('a guest is adopted once: a second account gets nothing', async () => {
  const { models, guests, guestId, userId, guest, user } = await arrange();
  await recordOf(guest);
  await guests.adopt(guestId, userId);
  await guests.adopt(guestId, new Types.ObjectId());
  expect(await models.records.countDocuments({ owner: user })).toBe(1);
  expect(await guests.ownerNow(guest)).toBe(user);
});

test('data of a guest not seen for GUEST_DAYS is deleted, and nobody else’s', async () => {
  const gone = await arrange();
  const there = await arrange();
  for (const { guest } of [gone, there]) await recordOf(guest);
  const past = new Date(Date.now() - 1);
  await store.models.guests.updateOne({ _id: gone.guestId }, { $set: { expiresAt: past } });

  await gone.guests.sweep();

  expect(await store.models.records.countDocuments({ owner: gone.guest })).toBe(0);
  expect(await store.models.conversations.countDocuments({ owner: gone.guest })).toBe(0);
  expect(await store.models.records.countDocuments({ owner: there.guest })).toBe(1);
});

test('a shortened GUEST_DAYS also applies to guests that are stored already, a longer one does not', async () => {
  const { models, guestId, guest } = await arrange();
  await recordOf(guest);
  const expiry = async () => (await models.guests.findById(guestId).lean())!.expiresAt.getTime();
  const before = await expiry();
  const days = { guestDays: 30 };
  const guests = createGuests(models, createOwnedRecords(models), days);
  await guests.sweep();
  expect(await expiry()).toBe(before);
  days.guestDays = 1;
  await guests.sweep();
  expect(await expiry()).toBeLessThanOrEqual(Date.now() + 86_400_000);
  expect(await models.records.countDocuments({ owner: guest })).toBe(1);
  days.guestDays = 0;
  await guests.sweep();
  await guests.sweep();
  expect(await models.records.countDocuments({ owner: guest })).toBe(0);
});

test('a guest that is seen stays: its expiry is renewed at most once an hour', async () => {
  const { models, guests, guestId, guest } = await arrange();
  const seen = async () => (await models.guests.findById(guestId).lean())!;
  const usedBefore = async (ms: number) => {
    const lastUsedAt = new Date(Date.now() - ms);
    await models.guests.updateOne({ _id: guestId }, { $set: { lastUsedAt, expiresAt: new Date() } });
    return lastUsedAt;
  };
  // In another process, which has not seen the guest yet.
  const other = createGuests(models, createOwnedRecords(models), { guestDays: 7 });
  for (const use of [() => other.ensureStored(guest), () => guests.recognise(guestId)]) {
    const recently = await usedBefore(3_590_000);
    await use();
    expect((await seen()).lastUsedAt).toEqual(recently);
    await usedBefore(3_610_000);
    const now = Date.now();
    await use();
    expect((await seen()).lastUsedAt.getTime()).toBeGreaterThanOrEqual(now);
    expect((await seen()).expiresAt.getTime()).toBeGreaterThanOrEqual(now + 7 * 86_400_000);
  }
});

test('what an adopted guest wrote during the adoption belongs to the account, at once and after the sweep', async () => {
  const { models, guests, guestId, userId, guest, user } = await arrange();
  await guests.adopt(guestId, userId);
  await recordOf(guest);
  expect(await guests.ownerNow(guest)).toBe(user);
  expect(await models.records.countDocuments({ owner: user })).toBe(1);
  await recordOf(guest);
  await models.guests.updateOne({ _id: guestId }, { $set: { expiresAt: new Date(0) } });
  await guests.sweep();
  expect(await models.records.countDocuments({ owner: user })).toBe(2);
  expect(await models.guests.countDocuments({ _id: guestId })).toBe(0);
});

test('a guest whose data was deleted is stored again with the next question, also at once', async () => {
  const { models, guests, guestId, guest } = await arrange();
  expect(await guests.recognise(guestId)).toBe(true);
  await models.guests.updateOne({ _id: guestId }, { $set: { expiresAt: new Date(0) } });
  await guests.sweep();
  expect(await models.guests.exists({ _id: guestId })).toBeNull();

  await guests.ensureStored(guest);
  expect(await models.guests.exists({ _id: guestId })).not.toBeNull();
});
