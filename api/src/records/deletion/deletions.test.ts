import { afterAll, afterEach, describe, expect, jest, test } from '@jest/globals';
import { Types } from 'mongoose';
import { createThisProcess, newLease } from '../../store/process-lease.ts';
import { createTestJobs, openTestDeletions } from '../../testing/open-test-deletions.ts';
import { finishedRecord, openTestModels } from '../../testing/open-test-models.ts';
import { until } from '../../testing/until.ts';
import { createOwnedRecords } from '../owned-records.ts';
import { recordTerms } from '../search/record-terms.ts';
import type { DeletionDocument } from './deletion.ts';
import { createDeletionWork, type HeldDeletion, StateChanged } from './deletion-phases.ts';

const open: { stop(): Promise<void> }[] = [];

const store = await openTestModels();
afterAll(async () => {
  await Promise.all(open.map(({ stop }) => stop()));
  await store.end();
});

const failures: unknown[] = [];

/** Simulates one of several processes on the same store. */
function process() {
  const note = (failure: unknown) => void failures.push(failure);
  const opened = openTestDeletions(store, { warn: note, error: note });
  open.push(opened);
  return opened;
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

async function stateOf(undoToken: string | null): Promise<DeletionDocument> {
  const deletion = await store.models.deletions.findOne({ undoToken: undoToken ?? '' }).lean();
  if (!deletion) throw new Error(`no deletion ${undoToken}`);
  return deletion;
}

/**
 * A deletion that has finished, by a process that is idle afterwards: on a busy machine it responds earlier.
 */
async function deleteContact(owner: string, contact: string): Promise<string> {
  const { deletions, stop } = process();
  const { undoToken } = await deletions.deleteContact(owner, contact, false);
  await until(async () => (await stateOf(undoToken)).state === 'erased');
  await stop();
  return undoToken ?? '';
}

/**
 * Restores the state after a crash directly after the decision: the deletion that a dead process began, some of the marks,
 * and no job.
 */
async function undoTheWork(owner: string, undoToken: string, marked: number): Promise<void> {
  const deletion = await stateOf(undoToken);
  const gone = { ...newLease(createThisProcess()), process: 'gone', until: new Date(0) };
  await store.models.deletions.updateOne(
    { undoToken },
    { $set: { state: 'erasing', lease: gone, touched: null } },
  );
  await store.models.jobs.deleteMany({ key: deletion._id.toHexString() });
  const records = await store.models.records.find({ owner, erasedBy: deletion._id }).lean();
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
  const { deletions, hidden } = process();
  const undoToken = await deleteContact(owner, 'a@example.com');
  await undoTheWork(owner, undoToken, 10);
  expect(await visible(owner)).toBe(23);
  const there = { owner, erasedBy: null, ...(await hidden.notHidden(owner)) };
  expect(await store.models.records.countDocuments(there)).toBe(3);

  await process().deletions.resume();
  await until(async () => (await stateOf(undoToken)).state === 'erased');

  expect(await visible(owner)).toBe(3);
  expect(await withTerms(owner)).toBe(3);
  expect(await hidden.notHidden(owner)).toEqual({});
  const shown = await store.models.conversations.find({ owner, erasedBy: null }).lean();
  expect(shown.map(({ _id }) => _id)).toEqual([other]);
  expect(await deletions.undo(owner, undoToken)).toBe(30);
  expect(await visible(owner)).toBe(33);
  expect(await withTerms(owner)).toBe(33);
});

test('an undo during marking restores every record', async () => {
  const owner = newOwner();
  await conversationWith(owner, 40, 'b@example.com');
  const { deletions } = process();
  const undoToken = await deleteContact(owner, 'b@example.com');
  await undoTheWork(owner, undoToken, 15);
  expect(await deletions.undo(owner, undoToken)).toBe(40);
  await until(async () => (await stateOf(undoToken)).state === 'restored');
  expect(await visible(owner)).toBe(40);
  expect(await withTerms(owner)).toBe(40);
});

test('an undo and a purge interrupted by crashes are finished', async () => {
  const owner = newOwner();
  await conversationWith(owner, 20, 'c@example.com');
  await conversationWith(owner, 20, 'd@example.com');
  const one = await deleteContact(owner, 'c@example.com');
  const two = await deleteContact(owner, 'd@example.com');
  await store.models.deletions.updateOne({ undoToken: one }, { $set: { state: 'restoring' } });
  await store.models.deletions.updateOne({ undoToken: two }, { $set: { state: 'purging', ending: 'purge' } });

  await process().deletions.resume();
  await until(async () => (await stateOf(one)).state === 'restored');
  await until(async () => (await stateOf(two)).state === 'purged');

  expect(await visible(owner)).toBe(20);
  expect(await store.models.records.countDocuments({ owner })).toBe(20);
  expect(await store.models.conversations.countDocuments({ owner })).toBe(1);
});

test('two processes that resume the same deletions do each once', async () => {
  const owner = newOwner();
  const tokens: string[] = [];
  const [one, two] = [process().deletions, process().deletions];
  for (let count = 0; count < 6; count += 1) {
    await conversationWith(owner, 20, `p${count}@example.com`);
    tokens.push(await deleteContact(owner, `p${count}@example.com`));
  }
  for (const token of tokens) await undoTheWork(owner, token, 5);

  await Promise.all([one.resume(), two.resume()]);
  const undone = await Promise.all(
    tokens.slice(0, 3).map((token, index) => (index % 2 ? one : two).undo(owner, token)),
  );

  expect(undone).toEqual([20, 20, 20]);
  await until(async () => (await store.models.deletions.countDocuments({ owner, state: 'erased' })) === 3);
  expect(await visible(owner)).toBe(60);
  expect(await withTerms(owner)).toBe(60);
  const shown = await store.models.conversations.find({ owner, erasedBy: null }).lean();
  expect(shown.map(({ recordCount }) => recordCount)).toEqual([20, 20, 20]);
});

test('a deletion that can no longer be undone is purged, and its token is expired', async () => {
  const owner = newOwner();
  const conversationId = await conversationWith(owner, 300);
  const other = newOwner();
  await conversationWith(other, 1);
  const { deletions } = process();
  const { undoToken } = await deletions.deleteConversation(owner, conversationId.toHexString());
  await until(async () => (await stateOf(undoToken)).state === 'erased');
  await deletions.sweep(new AbortController().signal);
  expect(await store.models.records.countDocuments({ conversationId })).toBe(300);

  await store.models.deletions.updateOne({ undoToken }, { $set: { undoUntil: new Date(Date.now() - 1) } });
  await expect(deletions.undo(owner, undoToken)).rejects.toMatchObject({ status: 410, error: 'expired' });
  await expect(deletions.purge(owner, undoToken)).rejects.toMatchObject({ status: 410, error: 'expired' });
  expect((await deletions.bin(owner, { limit: 20 })).deletions).toEqual([]);
  expect((await stateOf(undoToken)).forgetAt).toBeNull();
  const earliest = Date.now() + 30 * 86_400_000;
  await deletions.sweep(new AbortController().signal);
  const latest = Date.now() + 30 * 86_400_000;

  // The deletion document is deleted as well.
  const forgetAt = Number((await stateOf(undoToken)).forgetAt);
  expect(forgetAt).toBeGreaterThanOrEqual(earliest);
  expect(forgetAt).toBeLessThanOrEqual(latest);
  expect(await store.models.records.countDocuments({ conversationId })).toBe(0);
  expect(await store.models.conversations.countDocuments({ _id: conversationId })).toBe(0);
  expect(await visible(other)).toBe(1);
  await expect(deletions.undo(owner, undoToken)).rejects.toMatchObject({ status: 410 });
  const audits = await store.models.audits.find({ actor: owner }).sort({ at: 1 }).lean();
  expect(audits.map(({ action, count }) => [action, count])).toEqual([
    ['erase', 300],
    ['expire', 300],
  ]);
});

test('the audit of what can no longer be undone has the time of the database', async () => {
  const owner = newOwner();
  const conversationId = await conversationWith(owner, 1);
  const { deletions } = process();
  const { undoToken } = await deletions.deleteConversation(owner, conversationId.toHexString());
  await until(async () => (await stateOf(undoToken)).state === 'erased');
  await store.models.deletions.updateOne({ undoToken }, { $set: { undoUntil: new Date(0) } });
  const real = Date.now;
  const hour = 3_600_000;
  // Only the time of the database is read with `Date.now`.
  const ahead = jest.spyOn(Date, 'now').mockImplementation(() => real() + hour);

  await deletions.sweep(new AbortController().signal);

  ahead.mockRestore();
  const audit = await store.models.audits.findOne({ actor: owner, action: 'expire' }).lean();
  expect(Number(audit?.at)).toBeGreaterThan(real() + hour / 2);
});

test('a guest’s running deletion belongs to the account after adoption, and keeps its records hidden', async () => {
  const [guest, user] = [newOwner(), newOwner()];
  await conversationWith(guest, 30, 'g@example.com');
  const { deletions, hidden } = process();
  const undoToken = await deleteContact(guest, 'g@example.com');
  await undoTheWork(guest, undoToken, 10);
  const shown = async () =>
    store.models.records.countDocuments({
      owner: user,
      erasedBy: null,
      ...(await hidden.notHidden(user)),
    });

  const others = [process().deletions, process().deletions] as const;
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
  await expect(deletions.undo(guest, undoToken)).rejects.toMatchObject({ status: 404 });
  expect(await deletions.undo(user, undoToken)).toBe(30);
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

  const deletion = process().deletions.deleteContact(guest, 'late@example.com', false);

  await expect(deletion).rejects.toMatchObject({ status: 409, error: 'conflict' });
  expect(await store.models.deletions.countDocuments({ owner: guest })).toBe(0);
  expect(await visible(guest)).toBe(3);
});

test.each(['guest', 'user'] as const)(
  'a deletion of the %s’s that is running when both are merged deletes nothing of the other',
  async (whose) => {
    const owners = { guest: newOwner(), user: newOwner() };
    await conversationWith(owners.guest, 30, 'both@example.com');
    await conversationWith(owners.user, 30, 'both@example.com');
    const undoToken = await deleteContact(owners[whose], 'both@example.com');
    await undoTheWork(owners[whose], undoToken, 10);

    await createOwnedRecords(store.models).transfer(owners.guest, owners.user);
    await process().deletions.resume();
    await until(async () => (await stateOf(undoToken)).state === 'erased');

    expect(await visible(owners.user)).toBe(30);
    expect(await process().deletions.undo(owners.user, undoToken)).toBe(30);
    expect(await visible(owners.user)).toBe(60);
  },
);

test('a deletion that excludes another one hides the same records after the other is purged', async () => {
  const owner = newOwner();
  await conversationWith(owner, 30, 'second@example.com');
  await conversationWith(owner, 10, 'first@example.com');
  const first = await deleteContact(owner, 'first@example.com');
  const second = await deleteContact(owner, 'second@example.com');
  await process().deletions.purge(owner, first);
  await undoTheWork(owner, second, 5);
  await store.models.deletions.updateOne(
    { undoToken: second },
    { $set: { except: [(await stateOf(first))._id] } },
  );

  const { hidden, deletions } = process();
  const rest = { owner, erasedBy: null, ...(await hidden.notHidden(owner)) };
  expect(await store.models.records.countDocuments(rest)).toBe(0);
  await deletions.resume();
  await until(async () => (await stateOf(second)).state === 'erased');
  expect(await store.models.records.countDocuments({ owner, erasedBy: null })).toBe(0);
});

test('deleting an owner also deletes its running deletions', async () => {
  const owner = newOwner();
  await conversationWith(owner, 30, 'h@example.com');
  const undoToken = await deleteContact(owner, 'h@example.com');
  await undoTheWork(owner, undoToken, 10);
  await Promise.all([process().deletions.resume(), createOwnedRecords(store.models).remove(owner)]);
  const { records, conversations, deletions: kept } = store.models;
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
    const first = await deleteContact(owner, 'first@example.com');
    await undoTheWork(owner, first, 5);

    const { deletions, hidden } = process();
    const day = (ms: number) => new Date(Date.now() + ms).toISOString().slice(0, 10);
    const days = { from: day(-86_400_000), to: day(86_400_000), tz: 'UTC' };
    const { undoToken, matched } =
      kind === 'days'
        ? await deletions.deleteDays(owner, days, undefined, false)
        : await deletions.deleteConversation(owner, conversationId.toHexString());
    await until(async () => (await stateOf(undoToken)).state === 'erased');
    const { _id } = await stateOf(undoToken);
    expect(matched).toBe(12);
    expect(await store.models.records.countDocuments({ owner, erasedBy: _id })).toBe(12);

    expect(await deletions.undo(owner, undoToken!)).toBe(12);
    const shown = { owner, erasedBy: null, ...(await hidden.notHidden(owner)) };
    expect(await store.models.records.countDocuments(shown)).toBe(12);
    expect(await deletions.undo(owner, first)).toBe(18);
    expect(await visible(owner)).toBe(30);
  },
);

test('a resumed deletion also hides the conversations whose records were all marked before the crash', async () => {
  const owner = newOwner();
  await conversationWith(owner, 10, 'k@example.com');
  await conversationWith(owner, 10, 'k@example.com');
  const undoToken = await deleteContact(owner, 'k@example.com');
  await undoTheWork(owner, undoToken, 10);
  await process().deletions.resume();
  await until(async () => (await stateOf(undoToken)).state === 'erased');
  expect(await store.models.conversations.countDocuments({ owner, erasedBy: null })).toBe(0);
  expect((await stateOf(undoToken)).touched?.conversations).toHaveLength(2);
});

test('a purge of a deletion that is still marking records removes all of them', async () => {
  const owner = newOwner();
  await conversationWith(owner, 30, 'l@example.com');
  await conversationWith(owner, 2);
  const undoToken = await deleteContact(owner, 'l@example.com');
  await undoTheWork(owner, undoToken, 10);
  expect(await process().deletions.purge(owner, undoToken)).toBe(30);
  expect((await stateOf(undoToken)).state).toBe('purged');
  expect(await store.models.records.countDocuments({ owner })).toBe(2);
});

test('a deletion that is to be purged once its records are marked cannot be undone any more', async () => {
  const owner = newOwner();
  await conversationWith(owner, 5, 'm@example.com');
  const undoToken = await deleteContact(owner, 'm@example.com');
  await undoTheWork(owner, undoToken, 0);
  await store.models.deletions.updateOne({ undoToken }, { $set: { ending: 'purge' } });
  const { deletions } = process();
  await expect(deletions.undo(owner, undoToken)).rejects.toMatchObject({ status: 410 });
  await expect(deletions.purge(owner, undoToken)).rejects.toMatchObject({ status: 410 });
  await process().deletions.resume();
  await until(async () => (await stateOf(undoToken)).state === 'purged');
  expect(await store.models.records.countDocuments({ owner })).toBe(0);
});

test('a question that is asked while its day is being deleted stays', async () => {
  const owner = newOwner();
  const conversationId = await conversationWith(owner, 10);
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const { deletions, hidden, stop } = process();
  const { undoToken } = await deletions.deleteDays(
    owner,
    { from: day(-1), to: day(2), tz: 'UTC' },
    undefined,
    false,
  );
  await until(async () => (await stateOf(undoToken)).state === 'erased');
  await stop();
  await undoTheWork(owner, undoToken!, 3);
  const asked = finishedRecord({ owner, conversationId, createdAt: new Date(Date.now() + 60_000) });
  await store.models.records.create(asked);
  const shown = async () =>
    store.models.records.countDocuments({ owner, erasedBy: null, ...(await hidden.notHidden(owner)) });
  expect(await shown()).toBe(1);
  await process().deletions.resume();
  await until(async () => (await stateOf(undoToken)).state === 'erased');
  expect(await shown()).toBe(1);
});

describe('the job of a deletion', () => {
  /** The job, whose only phase waits for the test, of a deletion with these fields. */
  async function given(fields: Partial<DeletionDocument> = {}) {
    const owner = newOwner();
    await conversationWith(owner, 1, 'n@example.com');
    const undoToken = await deleteContact(owner, 'n@example.com');
    await undoTheWork(owner, undoToken, 0);
    await store.models.deletions.updateOne({ undoToken }, { $set: { lease: null, ...fields } });
    const held = Promise.withResolvers<HeldDeletion>();
    const end = Promise.withResolvers<void>();
    let times = 0;
    const phase = async (deletion: HeldDeletion) => {
      times += 1;
      held.resolve(deletion);
      await end.promise;
      return undefined;
    };
    const note = (failure: unknown) => void failures.push(failure);
    const { self, jobs } = createTestJobs(store, { warn: note, error: note });
    const phases = { erasing: phase, restoring: phase, purging: phase };
    const work = createDeletionWork({ deletions: store.models.deletions, phases, self, jobs });
    jobs.start();
    open.push(jobs);
    const { _id } = await stateOf(undoToken);
    const finish = (withinMs: number) => work.finish({ _id, owner }, withinMs);
    return {
      finish,
      undoToken,
      held: held.promise,
      end: end.resolve,
      stop: jobs.stop,
      timesSoFar: () => times,
    };
  }
  afterEach(() => void jest.restoreAllMocks());

  test('notices that the state has changed, and continues with the new one', async () => {
    const { finish, undoToken, held, end, timesSoFar } = await given();
    const finishing = finish(60_000);
    const { check, isNew } = await held;
    expect(isNew).toBe(true);
    const { now } = Date;
    await store.models.deletions.updateOne({ undoToken }, { $set: { state: 'restoring' } });
    // Between two checks it relies on the last one.
    await check();
    jest.spyOn(Date, 'now').mockImplementation(() => now() + 300);
    await expect(check()).rejects.toBeInstanceOf(StateChanged);
    jest.restoreAllMocks();
    await store.models.deletions.updateOne({ undoToken }, { $set: { state: 'restored' } });
    end();
    await finishing;
    expect(timesSoFar()).toBe(1);
  });

  test('ends at a shutdown, and is not new to the process that continues', async () => {
    const { finish, undoToken, held, end, stop } = await given();
    const finishing = finish(60_000);
    const { check } = await held;
    const stopping = stop();
    await expect(check()).rejects.toMatchObject({ name: 'AbortError' });
    end();
    await Promise.all([stopping, finishing]);
    const { _id, lease } = await stateOf(undoToken);
    expect(lease).not.toBeNull();
    expect(await store.models.jobs.findOne({ key: _id.toHexString() }).lean()).toMatchObject({ lease: null });
    // Or the jobs of the next test would continue with it.
    await store.models.deletions.updateOne({ undoToken }, { $set: { state: 'restored' } });
  });

  test('does not begin while its records are being transferred to another owner', async () => {
    const { finish, timesSoFar } = await given({ isMoving: true });
    await finish(300);
    expect(timesSoFar()).toBe(0);
  });
});

test('no background error was logged', () => {
  expect(failures).toEqual([]);
});
