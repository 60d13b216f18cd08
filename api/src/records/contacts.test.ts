import { afterAll, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import type { Contact } from '../contract/records.ts';
import { finishedRecord, openTestModels } from '../testing/open-test-models.ts';
import { createContacts } from './contacts.ts';
import { createHiddenRecords } from './hidden-records.ts';
import { createOwnedRecords } from './owned-records.ts';

const { models, end } = await openTestModels();
const contacts = createContacts(models, createHiddenRecords(models.deletions));
afterAll(() => end());

let owners = 0;
const newOwner = () => `user:${++owners}`;
const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute));

async function asked(owner: string, contact: Contact, minute: number): Promise<Types.ObjectId> {
  const record = finishedRecord({ owner, contact, createdAt: at(minute) });
  await models.records.create(record);
  await contacts.used(owner, contact, record.createdAt);
  return record._id;
}

async function listed(owner: string, q = ''): Promise<Contact[]> {
  return (await contacts.list(owner, q, { limit: 100 })).contacts;
}

const erase = (_id: Types.ObjectId) =>
  models.records.updateOne({ _id }, { $set: { erasedBy: new Types.ObjectId() }, $unset: { terms: 1 } });

test('a contact without a new name keeps its name, whichever write comes first', async () => {
  const owner = newOwner();
  await contacts.used(owner, { id: '10001', name: 'Ann' }, at(1));
  await contacts.used(owner, { id: '10001', name: '' }, at(2));

  expect(await contacts.resolve(owner, '10001')).toEqual({ id: '10001', name: 'Ann' });
  expect(await contacts.resolve(owner, 'Ann')).toEqual({ id: '10001', name: 'Ann' });
  expect(await contacts.resolve(owner, 'Ann', 'Anna')).toEqual({ id: '10001', name: 'Anna' });
  expect(await contacts.idOf(owner, '１０００１')).toBe('10001');
  expect(await contacts.idOf(owner, ' ')).toBe('');
  expect(await contacts.idOf(owner, 'nobody')).toBe('nobody');
});

test('is recalculated from the newest remaining record, and deleted with the last one', async () => {
  const owner = newOwner();
  const first = await asked(owner, { id: '10001', name: 'Ann' }, 1);
  const second = await asked(owner, { id: '10001', name: 'Anna' }, 3);
  await asked(owner, { id: '10002', name: 'Bob' }, 2);
  expect(await listed(owner)).toEqual([
    { id: '10001', name: 'Anna' },
    { id: '10002', name: 'Bob' },
  ]);

  await erase(second);
  await contacts.recount(owner, ['10001', '', '10001']);
  expect(await listed(owner)).toEqual([
    { id: '10002', name: 'Bob' },
    { id: '10001', name: 'Ann' },
  ]);

  await erase(first);
  await contacts.recount(owner, ['10001']);
  expect(await listed(owner)).toEqual([{ id: '10002', name: 'Bob' }]);

  await models.records.updateOne({ _id: first }, { $set: { erasedBy: null } });
  await contacts.recount(owner, ['10001']);
  expect(await listed(owner)).toEqual([
    { id: '10002', name: 'Bob' },
    { id: '10001', name: 'Ann' },
  ]);
});

test('using and recalculating a contact concurrently leaves the latest use', async () => {
  const owner = newOwner();
  for (let minute = 1; minute <= 10; minute += 1) {
    await Promise.all([
      asked(owner, { id: '10001', name: `name ${minute}` }, minute),
      contacts.recount(owner, ['10001']),
      contacts.recount(owner, ['10001']),
    ]);
    await contacts.recount(owner, ['10001']);
    const kept = await models.contacts.findOne({ owner, contactId: '10001' }).lean();
    expect(kept).toMatchObject({ name: `name ${minute}`, lastUsedAt: at(minute) });
  }
});

test('a running deletion hides its contacts and their names', async () => {
  const owner = newOwner();
  await asked(owner, { id: '10001', name: 'Ann' }, 1);
  await asked(owner, { id: '10002', name: 'Bob' }, 2);
  await asked(owner, { id: '10003', name: 'Cid' }, 3);
  const going = { owner, state: 'erasing' as const, createdAt: at(5), undoUntil: at(9) };
  await models.deletions.create({
    ...going,
    undoToken: `${owner} contact`,
    kind: 'contact',
    contactId: '10001',
    upTo: at(4),
  });
  await models.deletions.create({
    ...going,
    undoToken: `${owner} date`,
    kind: 'date',
    since: at(2),
    until: at(3),
    upTo: at(4),
  });

  expect(await listed(owner)).toEqual([{ id: '10003', name: 'Cid' }]);
  expect(await listed(owner, '1000')).toEqual([{ id: '10003', name: 'Cid' }]);
  expect(await contacts.resolve(owner, '10001')).toEqual({ id: '10001', name: '' });
  expect(await contacts.idOf(owner, 'Bob')).toBe('Bob');

  await asked(owner, { id: '10001', name: 'Ann again' }, 6);
  expect(await listed(owner)).toEqual([
    { id: '10001', name: 'Ann again' },
    { id: '10003', name: 'Cid' },
  ]);
});

test('beyond the most recently used contacts, a prefix finds a contact and a substring does not', async () => {
  const owner = newOwner();
  const many = Array.from({ length: 2100 }, (_, n) => ({
    owner,
    contactId: `c${String(n).padStart(4, '0')}`,
    name: `Name ${n}`,
    lastUsedAt: at(n),
  }));
  await models.contacts.insertMany(many);

  expect((await listed(owner, 'C00')).length).toBe(0);
  expect((await listed(owner, 'c00')).map(({ id }) => id)).toEqual(
    many
      .slice(0, 100)
      .map(({ contactId }) => contactId)
      .reverse(),
  );
  expect((await listed(owner, 'c0007')).map(({ id }) => id)).toEqual(['c0007']);
  expect((await listed(owner, 'ame 2099')).map(({ id }) => id)).toEqual(['c2099']);
});

test('when an account adopts a guest, contacts that both have are merged', async () => {
  const [guest, user] = ['guest:1', newOwner()];
  await contacts.used(guest, { id: 'both', name: 'later' }, at(5));
  await contacts.used(user, { id: 'both', name: 'earlier' }, at(1));
  await contacts.used(guest, { id: 'early', name: 'of the guest' }, at(1));
  await contacts.used(user, { id: 'early', name: '' }, at(3));
  await contacts.used(guest, { id: 'alone', name: 'Ann' }, at(2));
  const owned = createOwnedRecords(models);

  await owned.transfer(guest, user);
  await owned.transfer(guest, user);

  expect(await listed(user)).toEqual([
    { id: 'both', name: 'later' },
    { id: 'early', name: 'of the guest' },
    { id: 'alone', name: 'Ann' },
  ]);
  expect(await listed(guest)).toEqual([]);
  await owned.remove(user);
  expect(await listed(user)).toEqual([]);
});

test('among thousands of contacts, older ones are found by prefix, each once', async () => {
  const owner = newOwner();
  await models.contacts.insertMany(
    Array.from({ length: 2003 }, (_, n) => ({
      owner,
      contactId: `c${String(n).padStart(4, '0')}`,
      name: `c${String(n).padStart(4, '0')}`,
      records: 1,
      lastUsedAt: at(n),
    })),
  );
  // Two of these are among the 2,000 most recently used, the third is older.
  await models.contacts.updateOne(
    { owner, contactId: 'c0000' },
    { $set: { contactId: 'zoe 0', name: 'zoe 0' } },
  );
  await models.contacts.updateOne(
    { owner, contactId: 'c1000' },
    { $set: { contactId: 'zoe 1', name: 'zoe 1' } },
  );
  await models.contacts.updateOne(
    { owner, contactId: 'c2000' },
    { $set: { contactId: 'zoe 2', name: 'zoe 2' } },
  );
  expect((await listed(owner, 'zoe')).map(({ name }) => name)).toEqual(['zoe 2', 'zoe 1', 'zoe 0']);
});

test('an old contact is found by a telephone number and a name as people write them', async () => {
  const owner = newOwner();
  const old = { owner, contactId: '13800138000', name: '王 小明', records: 1, lastUsedAt: at(-1) };
  await models.contacts.insertMany([
    old,
    ...Array.from({ length: 2000 }, (_, n) => ({
      owner,
      contactId: `c${n}`,
      name: '',
      records: 1,
      lastUsedAt: at(n),
    })),
  ]);
  for (const written of ['138 0013 8000', '+86 138-0013-8000', '１３８００', ' 王 小'])
    expect([written, await listed(owner, written)]).toEqual([
      written,
      [{ id: '13800138000', name: '王 小明' }],
    ]);
});
