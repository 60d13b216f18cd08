import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import type { Contact } from '../../contract/records.ts';
import { finishedRecord, openTestModels, type TestModels } from '../../testing/open-test-models.ts';
import { createContacts } from '../contacts.ts';
import { createConversationSummaries } from '../conversation-summaries.ts';
import { createHiddenRecords } from '../hidden-records.ts';
import { createOwnedRecords } from '../owned-records.ts';
import { recordTerms } from '../search/record-terms.ts';
import type { ContactChangeUnderWay } from './contact-card.ts';
import { createContactChanges } from './contact-changes.ts';

let models: TestModels;
let end: () => Promise<void>;

beforeAll(async () => {
  ({ models, end } = await openTestModels());
});
afterAll(() => end());

const from = { id: '10001', name: 'Ann' };
const into = { id: '10002', name: 'Bob' };
const writes = new Set(['create', 'updateOne', 'updateMany', 'deleteOne', 'deleteMany']);
let owners = 0;

/** The models in a process that is killed after `steps` writes. */
function killedAfter(steps: number): TestModels {
  let left = steps;
  const watched = <T extends object>(model: T): T =>
    new Proxy(model, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        return (...given: unknown[]) => {
          if (writes.has(String(name)) && left-- <= 0) throw new Error('killed');
          return value.apply(target, given);
        };
      },
    });
  const { records, conversations, contacts, contactCards, contactUndos, deletions } = models;
  return {
    ...models,
    records: watched(records),
    conversations: watched(conversations),
    contacts: watched(contacts),
    contactCards: watched(contactCards),
    contactUndos: watched(contactUndos),
    deletions: watched(deletions),
  };
}

const changesOf = (some: TestModels) => {
  const hidden = createHiddenRecords(some.deletions);
  return createContactChanges(some, createContacts(some, hidden), createConversationSummaries(some, hidden));
};

/** Records of both contacts, one of them erased, and the decision to change the first one. */
async function given(change: ContactChangeUnderWay): Promise<string> {
  const owner = `user:${++owners}`;
  const contacts = createContacts(models, createHiddenRecords(models.deletions));
  const put = async (contact: Contact, minute: number, erasedBy: Types.ObjectId | null = null) => {
    const conversationId = new Types.ObjectId();
    const createdAt = new Date(Date.UTC(2026, 0, 1, 0, minute));
    await models.records.create(finishedRecord({ owner, contact, createdAt, conversationId, erasedBy }));
    const dates = { createdAt, updatedAt: createdAt };
    await models.conversations.create({
      _id: conversationId,
      owner,
      title: 'x',
      contact,
      erasedBy,
      ...dates,
    });
    if (!erasedBy) await contacts.used(owner, contact, createdAt);
  };
  for (const [at, contact] of [from, into, from, from].entries()) await put(contact, at);
  await put(from, 9, new Types.ObjectId());
  const card = { owner, contactId: from.id, note: 'of Ann', revision: 1, change };
  await models.contactCards.create([card, { owner, contactId: into.id, note: 'of Bob', revision: 1 }]);
  return owner;
}

async function stateOf(owner: string) {
  const records = await models.records.find({ owner }).select('+terms').lean();
  for (const record of records)
    if (!record.erasedBy) expect([...record.terms!].sort()).toEqual(recordTerms(record).sort());
  const conversations = await models.conversations.find({ owner }).lean();
  const contacts = await models.contacts.find({ owner }).lean();
  const cards = await models.contactCards.find({ owner }).lean();
  return {
    records: records.map(({ contact }) => contact),
    conversations: conversations.map(({ contact }) => contact),
    contacts: contacts.map(({ contactId, name }) => ({ id: contactId, name })),
    notes: cards.map(({ note }) => note),
    isUnderWay: cards.some(({ change }) => change),
  };
}

const five = <T>(of: T) => Array.from({ length: 5 }, () => of);

test.each([
  [
    'a merge',
    into,
    {
      records: five(into),
      conversations: five(into),
      contacts: [into],
      notes: ['', 'of Bob\n\nof Ann'],
      isUnderWay: false,
    },
  ],
  [
    'a new name',
    { id: from.id, name: 'Anna' },
    {
      records: expect.arrayContaining([{ id: from.id, name: 'Anna' }, into]),
      conversations: expect.arrayContaining([{ id: from.id, name: 'Anna' }, into]),
      contacts: expect.arrayContaining([{ id: from.id, name: 'Anna' }, into]),
      notes: ['of Ann', 'of Bob'],
      isUnderWay: false,
    },
  ],
])('%s is completed after a kill at any write', async (_name, change, expected) => {
  for (let steps = 0; ; steps += 1) {
    const owner = await given(change);
    let isKilled = false;
    await changesOf(killedAfter(steps))
      .finish(owner, from.id)
      .catch((cause: Error) => {
        isKilled = cause.message === 'killed';
        if (!isKilled) throw cause;
      });

    await changesOf(models).finishAll(owner);

    expect(await stateOf(owner)).toMatchObject(expected);
    if (!isKilled) {
      expect(steps).toBeGreaterThan(4);
      return;
    }
  }
});

test.each([
  ['a merge', into],
  ['a new name', { id: from.id, name: 'Anna' }],
])('%s is undone exactly, after a kill at any write of it or of its undo', async (_name, contact) => {
  const isMerge = contact.id !== from.id;
  for (let steps = 0; ; steps += 1) {
    const undo = new Types.ObjectId();
    const owner = await given({ ...contact, undo, undoUntil: new Date('2100-01-01') });
    await models.contactCards.updateOne({ owner, contactId: from.id }, { $unset: { change: 1 } });
    const before = await stateOf(owner);
    const change = { ...contact, undo, undoUntil: new Date('2100-01-01') };
    await models.contactCards.updateOne({ owner, contactId: from.id }, { $set: { change } });
    let isKilled = false;
    const killed = (cause: Error) => {
      isKilled = cause.message === 'killed';
      if (!isKilled) throw cause;
    };
    await changesOf(killedAfter(steps)).finish(owner, from.id).catch(killed);
    await changesOf(models).finishAll(owner);
    expect((await stateOf(owner)).notes).toEqual(isMerge ? ['', 'of Bob\n\nof Ann'] : before.notes);

    const undoing = { ...from, undo, isUndo: true };
    await models.contactCards.updateOne({ owner, contactId: from.id }, { $set: { change: undoing } });
    await changesOf(killedAfter(steps)).finish(owner, from.id).catch(killed);
    await changesOf(models).finishAll(owner);

    expect(await stateOf(owner)).toEqual(before);
    expect(await models.records.countDocuments({ owner, moved: { $exists: true, $ne: [] } })).toBe(0);
    const nobody = { id: '', name: '' };
    expect(await models.contactUndos.findById(undo).lean()).toMatchObject({
      ...{ state: 'undone', from: nobody, into: nobody },
      ...{ note: '', intoNote: '', followers: [] },
    });
    if (!isKilled) return;
  }
});

test('a merge waits for running deletions', async () => {
  const owner = await given(into);
  const deletion = {
    owner,
    undoToken: owner,
    state: 'erasing',
    kind: 'contact',
    contactId: from.id,
  } as const;
  const { _id } = await models.deletions.create({
    ...deletion,
    createdAt: new Date(),
    undoUntil: new Date(),
  });

  const changes = changesOf(models);
  expect(await changes.finish(owner, from.id)).toBeGreaterThan(0);
  expect(await models.records.countDocuments({ owner, 'contact.id': from.id })).toBe(4);
  const finishing = changes.finishAll(owner);
  await models.deletions.deleteOne({ _id });
  await finishing;

  expect(await models.records.countDocuments({ owner, 'contact.id': from.id })).toBe(0);
});

test('a merge of a guest is completed before an account adopts it, and does not affect the account', async () => {
  const guest = await given(into);
  const user = `user:${++owners}`;
  await models.records.create(finishedRecord({ owner: user, contact: from }));
  await createContacts(models, createHiddenRecords(models.deletions)).used(user, from, new Date());

  await createOwnedRecords(models).transfer(guest, user);

  expect(await models.records.countDocuments({ owner: user, 'contact.id': from.id })).toBe(1);
  expect(await models.records.countDocuments({ owner: user, 'contact.id': into.id })).toBe(5);
});
