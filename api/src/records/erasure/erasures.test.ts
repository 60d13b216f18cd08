import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Types } from 'mongoose';
import { createThisProcess, newLease, type ThisProcess } from '../../store/process-lease.ts';
import { finishedRecord, openTestModels } from '../../testing/open-test-models.ts';
import { until } from '../../testing/until.ts';
import { createContacts } from '../contacts.ts';
import { createConversationSummaries } from '../conversation-summaries.ts';
import { createHiddenRecords } from '../hidden-records.ts';
import { createOwnedRecords } from '../owned-records.ts';
import { createMatchingRecords } from '../search/matching-records.ts';
import { recordTerms } from '../search/record-terms.ts';
import type { ErasureDocument } from './erasure.ts';
import type { LeasedErasure } from './erasure-phases.ts';
import { createErasureWork } from './erasure-work.ts';
import type { Erasures } from './erasures.ts';
import { openErasures } from './open-erasures.ts';

// Hundreds of records are written, marked and removed, on a busy machine.
jest.setTimeout(120_000);

let store: Awaited<ReturnType<typeof openTestModels>>;
const open: Erasures[] = [];

beforeAll(async () => {
  store = await openTestModels();
});
afterAll(async () => {
  await Promise.all(open.map((erasures) => erasures.stop()));
  await store.end();
});

const failures: unknown[] = [];

/** Simulates one of several processes on the same store. */
function process(self: ThisProcess = createThisProcess()) {
  const { models } = store;
  const hidden = createHiddenRecords(models.erasures);
  const contacts = createContacts(models, hidden);
  const erasures = openErasures({
    models,
    hidden,
    summaries: createConversationSummaries(models, hidden),
    contacts,
    matching: createMatchingRecords({ records: models.records, contacts, hidden }),
    self,
    log: { warn: (failure: unknown) => void failures.push(failure) },
    auditKey: randomBytes(32),
    undoDays: 7,
  });
  open.push(erasures);
  return { erasures, hidden, self };
}

let owners = 0;
const newOwner = () => `user:${++owners}`;

async function conversationWith(owner: string, records: number, contact = ''): Promise<Types.ObjectId> {
  const conversationId = new Types.ObjectId();
  const now = Date.now();
  await store.models.conversations.create({
    _id: conversationId,
    owner,
    title: 'q0',
    recordCount: records,
    createdAt: new Date(now),
    updatedAt: new Date(now + records - 1),
  });
  await store.models.records.insertMany(
    Array.from({ length: records }, (_, index) => {
      const content = {
        question: `q${index}`,
        answer: `answer ${index}`,
        contact: contact === '' ? null : { id: contact, name: '' },
        source: 'document' as const,
        feedback: null,
      };
      return {
        ...content,
        owner,
        conversationId,
        kind: 'chat' as const,
        status: 'done' as const,
        createdAt: new Date(now + index),
        terms: recordTerms(content),
      };
    }),
  );
  return conversationId;
}

const visible = (owner: string) => store.models.records.countDocuments({ owner, erasedBy: null });
const withTerms = (owner: string) => store.models.records.countDocuments({ owner, terms: 'answer' });

async function stateOf(undoToken: string | null): Promise<ErasureDocument> {
  const erasure = await store.models.erasures.findOne({ undoToken: undoToken ?? '' }).lean();
  if (!erasure) throw new Error(`no erasure ${undoToken}`);
  return erasure;
}

/**
 * A deletion that has finished, by a process that is idle afterwards: on a busy machine it responds earlier.
 */
async function eraseContact(owner: string, contact: string): Promise<string> {
  const { erasures } = process();
  const { undoToken } = await erasures.eraseContact(owner, contact, false);
  await until(async () => (await stateOf(undoToken)).state === 'erased');
  await erasures.stop();
  return undoToken ?? '';
}

/**
 * Restores the state after a crash directly after the decision: the erasure with the lease of a dead process,
 * and some of the marks.
 */
async function undoTheWork(owner: string, undoToken: string, marked: number): Promise<void> {
  const erasure = await stateOf(undoToken);
  const gone = { ...newLease(createThisProcess()), process: 'gone', until: new Date(0) };
  await store.models.erasures.updateOne(
    { undoToken },
    { $set: { state: 'erasing', lease: gone, touched: null } },
  );
  const records = await store.models.records.find({ owner, erasedBy: erasure._id }).lean();
  for (const record of records.slice(marked)) {
    await store.models.records.updateOne(
      { _id: record._id },
      { $set: { erasedBy: null, terms: recordTerms(record) } },
    );
  }
  await store.models.conversations.updateMany({ owner }, { $set: { erasedBy: null } });
}

test('a deletion interrupted by a crash is finished, hides its records meanwhile, and can be undone completely', async () => {
  const owner = newOwner();
  await conversationWith(owner, 30, 'a@example.com');
  const other = await conversationWith(owner, 3);
  const { erasures, hidden } = process();
  const undoToken = await eraseContact(owner, 'a@example.com');
  await undoTheWork(owner, undoToken, 10);
  expect(await visible(owner)).toBe(23);
  const there = { owner, erasedBy: null, ...(await hidden.notHidden(owner)) };
  expect(await store.models.records.countDocuments(there)).toBe(3);

  await process().erasures.resume();
  await until(async () => (await stateOf(undoToken)).state === 'erased');

  expect(await visible(owner)).toBe(3);
  expect(await withTerms(owner)).toBe(3);
  expect(await hidden.notHidden(owner)).toEqual({});
  const shown = await store.models.conversations.find({ owner, erasedBy: null }).lean();
  expect(shown.map(({ _id }) => _id)).toEqual([other]);
  expect(await erasures.undo(owner, undoToken)).toBe(30);
  expect(await visible(owner)).toBe(33);
  expect(await withTerms(owner)).toBe(33);
});

test('an undo during marking restores every record', async () => {
  const owner = newOwner();
  await conversationWith(owner, 40, 'b@example.com');
  const { erasures } = process();
  const undoToken = await eraseContact(owner, 'b@example.com');
  await undoTheWork(owner, undoToken, 15);
  expect(await erasures.undo(owner, undoToken)).toBe(40);
  await until(async () => (await stateOf(undoToken)).state === 'restored');
  expect(await visible(owner)).toBe(40);
  expect(await withTerms(owner)).toBe(40);
});

test('an undo and a purge interrupted by crashes are finished', async () => {
  const owner = newOwner();
  await conversationWith(owner, 20, 'c@example.com');
  await conversationWith(owner, 20, 'd@example.com');
  const one = await eraseContact(owner, 'c@example.com');
  const two = await eraseContact(owner, 'd@example.com');
  await store.models.erasures.updateOne({ undoToken: one }, { $set: { state: 'restoring' } });
  await store.models.erasures.updateOne({ undoToken: two }, { $set: { state: 'purging', ending: 'purge' } });

  await process().erasures.resume();
  await until(async () => (await stateOf(one)).state === 'restored');
  await until(async () => (await stateOf(two)).state === 'purged');

  expect(await visible(owner)).toBe(20);
  expect(await store.models.records.countDocuments({ owner })).toBe(20);
  expect(await store.models.conversations.countDocuments({ owner })).toBe(1);
});

test('an erasure leased by another live process is not touched, and taken over after that process ends', async () => {
  const owner = newOwner();
  await conversationWith(owner, 10, 'e@example.com');
  const undoToken = await eraseContact(owner, 'e@example.com');
  await undoTheWork(owner, undoToken, 0);
  const other = createThisProcess();
  await store.models.erasures.updateOne({ undoToken }, { $set: { lease: newLease(other) } });
  const mine = process().erasures;
  await mine.resume();
  await mine.stop();
  expect(await visible(owner)).toBe(10);

  other.end();
  await process().erasures.resume();
  await until(async () => (await stateOf(undoToken)).state === 'erased');
  expect(await visible(owner)).toBe(0);
});

test('two processes that resume the same erasures do each once', async () => {
  const owner = newOwner();
  const tokens: string[] = [];
  const [one, two] = [process().erasures, process().erasures];
  for (let count = 0; count < 6; count += 1) {
    await conversationWith(owner, 20, `p${count}@example.com`);
    tokens.push(await eraseContact(owner, `p${count}@example.com`));
  }
  for (const token of tokens) await undoTheWork(owner, token, 5);

  await Promise.all([one.resume(), two.resume()]);
  const undone = await Promise.all(
    tokens.slice(0, 3).map((token, index) => (index % 2 ? one : two).undo(owner, token)),
  );

  expect(undone).toEqual([20, 20, 20]);
  await until(async () => (await store.models.erasures.countDocuments({ owner, state: 'erased' })) === 3);
  expect(await visible(owner)).toBe(60);
  expect(await withTerms(owner)).toBe(60);
  const shown = await store.models.conversations.find({ owner, erasedBy: null }).lean();
  expect(shown.map(({ recordCount }) => recordCount)).toEqual([20, 20, 20]);
});

test('an erasure that can no longer be undone is purged, and its token is expired', async () => {
  const owner = newOwner();
  const conversationId = await conversationWith(owner, 300);
  const other = newOwner();
  await conversationWith(other, 1);
  const { erasures } = process();
  const { undoToken } = await erasures.eraseConversation(owner, conversationId.toHexString());
  await until(async () => (await stateOf(undoToken)).state === 'erased');
  await erasures.sweep();
  expect(await store.models.records.countDocuments({ conversationId })).toBe(300);

  await store.models.erasures.updateOne({ undoToken }, { $set: { undoUntil: new Date(Date.now() - 1) } });
  await expect(erasures.undo(owner, undoToken)).rejects.toMatchObject({ status: 410, error: 'expired' });
  await expect(erasures.purge(owner, undoToken)).rejects.toMatchObject({ status: 410, error: 'expired' });
  expect((await erasures.bin(owner, { limit: 20 })).deletions).toEqual([]);
  expect((await stateOf(undoToken)).forgetAt).toBeNull();
  const earliest = Date.now() + 30 * 86_400_000;
  await erasures.sweep();
  const latest = Date.now() + 30 * 86_400_000;

  // The erasure document is deleted as well.
  const forgetAt = Number((await stateOf(undoToken)).forgetAt);
  expect(forgetAt).toBeGreaterThanOrEqual(earliest);
  expect(forgetAt).toBeLessThanOrEqual(latest);
  expect(await store.models.records.countDocuments({ conversationId })).toBe(0);
  expect(await store.models.conversations.countDocuments({ _id: conversationId })).toBe(0);
  expect(await visible(other)).toBe(1);
  await expect(erasures.undo(owner, undoToken)).rejects.toMatchObject({ status: 410 });
  const audits = await store.models.audits.find({ actor: owner }).sort({ at: 1 }).lean();
  expect(audits.map(({ action, count }) => [action, count])).toEqual([
    ['erase', 300],
    ['expire', 300],
  ]);
});

test('a guest’s running deletion belongs to the account after adoption, and keeps its records hidden', async () => {
  const [guest, user] = [newOwner(), newOwner()];
  await conversationWith(guest, 30, 'g@example.com');
  const { erasures, hidden } = process();
  const undoToken = await eraseContact(guest, 'g@example.com');
  await undoTheWork(guest, undoToken, 10);
  const shown = async () =>
    store.models.records.countDocuments({
      owner: user,
      erasedBy: null,
      ...(await hidden.notHidden(user)),
    });

  const others = [process().erasures, process().erasures] as const;
  const transferring = createOwnedRecords(store.models).transfer(guest, user);
  await others[0].resume();
  expect(await shown()).toBe(0);
  await transferring;
  expect(await shown()).toBe(0);
  // The adoption may have interrupted the first run, which then holds the lease until its next check.
  await until(async () => {
    for (const other of others) await other.resume();
    return (await stateOf(undoToken)).state === 'erased';
  });

  expect(await visible(user)).toBe(0);
  await expect(erasures.undo(guest, undoToken)).rejects.toMatchObject({ status: 404 });
  expect(await erasures.undo(user, undoToken)).toBe(30);
  expect(await visible(user)).toBe(30);
});

test('a deletion decided by a guest after its adoption is refused and leaves nothing behind', async () => {
  const guest = 'guest:late';
  await conversationWith(guest, 3, 'late@example.com');
  const dates = { lastUsedAt: new Date(), expiresAt: new Date(Date.now() + 86_400_000) };
  await store.models.guests.create({
    _id: guest.slice('guest:'.length),
    adoptedBy: new Types.ObjectId(),
    ...dates,
  });

  const deletion = process().erasures.eraseContact(guest, 'late@example.com', false);

  await expect(deletion).rejects.toMatchObject({ status: 409, error: 'conflict' });
  expect(await store.models.erasures.countDocuments({ owner: guest })).toBe(0);
  expect(await visible(guest)).toBe(3);
});

test.each(['guest', 'user'] as const)(
  'a deletion of the %s’s that is running when both are merged deletes nothing of the other',
  async (whose) => {
    const owners = { guest: newOwner(), user: newOwner() };
    await conversationWith(owners.guest, 30, 'both@example.com');
    await conversationWith(owners.user, 30, 'both@example.com');
    const undoToken = await eraseContact(owners[whose], 'both@example.com');
    await undoTheWork(owners[whose], undoToken, 10);

    await createOwnedRecords(store.models).transfer(owners.guest, owners.user);
    await process().erasures.resume();
    await until(async () => (await stateOf(undoToken)).state === 'erased');

    expect(await visible(owners.user)).toBe(30);
    expect(await process().erasures.undo(owners.user, undoToken)).toBe(30);
    expect(await visible(owners.user)).toBe(60);
  },
);

test('a deletion that excludes another one hides the same records after the other is purged', async () => {
  const owner = newOwner();
  await conversationWith(owner, 30, 'second@example.com');
  await conversationWith(owner, 10, 'first@example.com');
  const first = await eraseContact(owner, 'first@example.com');
  const second = await eraseContact(owner, 'second@example.com');
  await process().erasures.purge(owner, first);
  await undoTheWork(owner, second, 5);
  await store.models.erasures.updateOne(
    { undoToken: second },
    { $set: { except: [(await stateOf(first))._id] } },
  );

  const { hidden, erasures } = process();
  const rest = { owner, erasedBy: null, ...(await hidden.notHidden(owner)) };
  expect(await store.models.records.countDocuments(rest)).toBe(0);
  await erasures.resume();
  await until(async () => (await stateOf(second)).state === 'erased');
  expect(await store.models.records.countDocuments({ owner, erasedBy: null })).toBe(0);
});

test('deleting an owner also deletes its running deletions', async () => {
  const owner = newOwner();
  await conversationWith(owner, 30, 'h@example.com');
  const undoToken = await eraseContact(owner, 'h@example.com');
  await undoTheWork(owner, undoToken, 10);
  await Promise.all([process().erasures.resume(), createOwnedRecords(store.models).remove(owner)]);
  const { records, conversations, erasures: kept } = store.models;
  expect(await records.countDocuments({ owner })).toBe(0);
  expect(await conversations.countDocuments({ owner })).toBe(0);
  expect(await kept.countDocuments({ owner })).toBe(0);
});

test.each(['days', 'conversation'] as const)(
  'a deletion by %s decided while another one is running takes over none of its records',
  async (kind) => {
    const owner = newOwner();
    const conversationId = await conversationWith(owner, 30, 'first@example.com');
    const own = await store.models.records.find({ owner }, { _id: 1 }).limit(12).lean();
    const contact = { id: 'second@example.com', name: '' };
    await store.models.records.updateMany({ _id: { $in: own.map(({ _id }) => _id) } }, { $set: { contact } });
    const first = await eraseContact(owner, 'first@example.com');
    await undoTheWork(owner, first, 5);

    const { erasures, hidden } = process();
    const day = (ms: number) => new Date(Date.now() + ms).toISOString().slice(0, 10);
    const days = { from: day(-86_400_000), to: day(86_400_000), tz: 'UTC' };
    const { undoToken, matched } =
      kind === 'days'
        ? await erasures.eraseDays(owner, days, undefined, false)
        : await erasures.eraseConversation(owner, conversationId.toHexString());
    await until(async () => (await stateOf(undoToken)).state === 'erased');
    const { _id } = await stateOf(undoToken);
    expect(matched).toBe(12);
    expect(await store.models.records.countDocuments({ owner, erasedBy: _id })).toBe(12);

    expect(await erasures.undo(owner, undoToken!)).toBe(12);
    const shown = { owner, erasedBy: null, ...(await hidden.notHidden(owner)) };
    expect(await store.models.records.countDocuments(shown)).toBe(12);
    expect(await erasures.undo(owner, first)).toBe(18);
    expect(await visible(owner)).toBe(30);
  },
);

test('a resumed deletion also hides the conversations whose records were all marked before the crash', async () => {
  const owner = newOwner();
  await conversationWith(owner, 10, 'k@example.com');
  await conversationWith(owner, 10, 'k@example.com');
  const undoToken = await eraseContact(owner, 'k@example.com');
  await undoTheWork(owner, undoToken, 10);
  await process().erasures.resume();
  await until(async () => (await stateOf(undoToken)).state === 'erased');
  expect(await store.models.conversations.countDocuments({ owner, erasedBy: null })).toBe(0);
  expect((await stateOf(undoToken)).touched?.conversations).toHaveLength(2);
});

test('a purge of a deletion that is still marking records removes all of them', async () => {
  const owner = newOwner();
  await conversationWith(owner, 30, 'l@example.com');
  await conversationWith(owner, 2);
  const undoToken = await eraseContact(owner, 'l@example.com');
  await undoTheWork(owner, undoToken, 10);
  expect(await process().erasures.purge(owner, undoToken)).toBe(30);
  expect((await stateOf(undoToken)).state).toBe('purged');
  expect(await store.models.records.countDocuments({ owner })).toBe(2);
});

test('a deletion that is to be purged once its records are marked cannot be undone any more', async () => {
  const owner = newOwner();
  await conversationWith(owner, 5, 'm@example.com');
  const undoToken = await eraseContact(owner, 'm@example.com');
  await undoTheWork(owner, undoToken, 0);
  const other = createThisProcess();
  await store.models.erasures.updateOne({ undoToken }, { $set: { ending: 'purge', lease: newLease(other) } });
  const { erasures } = process();
  await expect(erasures.undo(owner, undoToken)).rejects.toMatchObject({ status: 410 });
  await expect(erasures.purge(owner, undoToken)).rejects.toMatchObject({ status: 410 });
  other.end();
  await process().erasures.resume();
  await until(async () => (await stateOf(undoToken)).state === 'purged');
  expect(await store.models.records.countDocuments({ owner })).toBe(0);
});

test('a question that is asked while its day is being deleted stays', async () => {
  const owner = newOwner();
  const conversationId = await conversationWith(owner, 10);
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const { erasures, hidden } = process();
  const { undoToken } = await erasures.eraseDays(
    owner,
    { from: day(-1), to: day(2), tz: 'UTC' },
    undefined,
    false,
  );
  await until(async () => (await stateOf(undoToken)).state === 'erased');
  await erasures.stop();
  await undoTheWork(owner, undoToken!, 3);
  const asked = finishedRecord({ owner, conversationId, createdAt: new Date(Date.now() + 60_000) });
  await store.models.records.create(asked);
  const shown = async () =>
    store.models.records.countDocuments({ owner, erasedBy: null, ...(await hidden.notHidden(owner)) });
  expect(await shown()).toBe(1);
  await process().erasures.resume();
  await until(async () => (await stateOf(undoToken)).state === 'erased');
  expect(await shown()).toBe(1);
});

describe('the work on a deletion', () => {
  /** Work whose only phase waits for the test, and the deletion that it holds. */
  async function given(fields: Partial<ErasureDocument> = {}) {
    const owner = newOwner();
    await conversationWith(owner, 1, 'n@example.com');
    const undoToken = await eraseContact(owner, 'n@example.com');
    await undoTheWork(owner, undoToken, 0);
    await store.models.erasures.updateOne({ undoToken }, { $set: { lease: null, ...fields } });
    const held = Promise.withResolvers<LeasedErasure>();
    const end = Promise.withResolvers<void>();
    let times = 0;
    const erasing = async (leased: LeasedErasure) => {
      times += 1;
      held.resolve(leased);
      await end.promise;
    };
    const self = createThisProcess();
    const work = createErasureWork({
      erasures: store.models.erasures,
      phases: { erasing, restoring: erasing, purging: erasing },
      self,
      log: { warn: (failure: unknown) => void failures.push(failure) },
    });
    const { _id } = await stateOf(undoToken);
    const lease = async () => (await stateOf(undoToken)).lease;
    return {
      work,
      self,
      _id,
      undoToken,
      held: held.promise,
      end: end.resolve,
      lease,
      timesSoFar: () => times,
    };
  }
  afterEach(() => void jest.restoreAllMocks());

  test('renews its lease, and notices that another process has taken it', async () => {
    const { work, _id, undoToken, held, end, lease } = await given();
    const driving = work.drive(_id);
    const { stillOwnsLease } = await held;
    const first = (await lease())!.until.getTime();
    const { now } = Date;
    let later = 0;
    jest.spyOn(Date, 'now').mockImplementation(() => now() + later);
    later = 4000;
    expect(await stillOwnsLease()).toBe(true);
    expect((await lease())!.until.getTime()).toBeGreaterThanOrEqual(first + 4000);
    const other = createThisProcess();
    await store.models.erasures.updateOne({ undoToken }, { $set: { lease: newLease(other) } });
    // Between two checks it relies on the last one.
    expect(await stillOwnsLease()).toBe(true);
    later = 4200;
    expect(await stillOwnsLease()).toBe(false);
    const stopping = work.stop();
    end();
    await Promise.all([stopping, driving]);
    expect((await lease())!.process).toBe(other.process);
    other.end();
  });

  test('ends at a shutdown, and another process can continue at once', async () => {
    const { work, _id, held, end, lease } = await given();
    const driving = work.drive(_id);
    const { stillOwnsLease } = await held;
    const stopping = work.stop();
    expect(await stillOwnsLease()).toBe(false);
    end();
    await Promise.all([stopping, driving]);
    expect((await lease())!.until.getTime()).toBe(0);
  });

  test('does not begin while its records are being transferred to another owner', async () => {
    const { work, _id, timesSoFar } = await given({ isMoving: true });
    await work.drive(_id);
    expect(timesSoFar()).toBe(0);
  });
});

test('no background error was logged', () => {
  expect(failures).toEqual([]);
});
