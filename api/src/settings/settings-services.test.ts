import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { finishedRecord, openTestModels } from '../testing/open-test-models.ts';
import { smallPng } from '../testing/small-png.ts';
import { createDeskSettings, defaultSettings } from './desk-settings.ts';
import { createLogos } from './logos.ts';
import { createRetention } from './retention.ts';

const store = await openTestModels();
beforeEach(async () => {
  for (const model of ['deskRevisions', 'deskLogos', 'users', 'records'] as const)
    await (store.models[model] as { deleteMany(filter: object): PromiseLike<unknown> }).deleteMany({});
});
afterAll(() => store.end());

const day = 86_400_000;
const by = new Types.ObjectId();
const named = (name: string) => ({
  ...defaultSettings,
  texts: { ...defaultSettings.texts, en: { ...defaultSettings.texts.en, name } },
});

test('saving the current settings creates no revision', async () => {
  const settings = createDeskSettings(store.models);
  expect((await settings.save(0, defaultSettings, by)).revision).toBe(0);
  expect((await settings.save(0, named('Acme'), by)).revision).toBe(1);
  expect((await settings.save(1, named('Acme'), by)).revision).toBe(1);
  expect(await store.models.deskRevisions.countDocuments()).toBe(1);
});

test('a slow read does not replace settings that were saved meanwhile', async () => {
  const held = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  let isSlow = false;
  const { deskRevisions } = store.models;
  const slow = new Proxy(deskRevisions, {
    get(target, name) {
      if (name === 'findOne' && isSlow) {
        isSlow = false;
        return () => ({
          sort: () => ({
            lean: async () => {
              const last = await deskRevisions.findOne().sort({ _id: -1 }).lean();
              asked.resolve();
              await held.promise;
              return last;
            },
          }),
        });
      }
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const settings = createDeskSettings({ ...store.models, deskRevisions: slow });
  await settings.save(0, named('first'), by);
  isSlow = true;
  const reading = settings.current();
  await asked.promise;
  await settings.save(1, named('second'), by);
  held.resolve();
  await reading;
  expect(settings.latest().texts.en.name).toBe('second');
});

test('if two processes save the same revision at once, only one succeeds', async () => {
  const [one, other] = [createDeskSettings(store.models), createDeskSettings(store.models)];
  const all = await Promise.allSettled([one.save(0, named('one'), by), other.save(0, named('other'), by)]);
  expect(all.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  await Promise.all([one.refresh(), other.refresh()]);
  expect(one.latest()).toEqual(other.latest());
});

test('logos that no revision uses are deleted a day after they were last uploaded', async () => {
  const logos = createLogos(store.models);
  const settings = createDeskSettings(store.models);
  const [used, earlier, unused, fresh, again] = await Promise.all(
    [1, 2, 3, 4, 5].map((shade) => logos.put(smallPng(4, 4, shade))),
  );
  await settings.save(0, { ...defaultSettings, logo: earlier! }, by);
  await settings.save(1, { ...defaultSettings, logo: used! }, by);
  const uploaded = (id: string, ms: number) =>
    store.models.deskLogos.updateOne({ _id: id }, { $set: { at: new Date(Date.now() - ms) } });
  for (const id of [used!, earlier!, unused!, again!]) await uploaded(id, day + 60_000);
  await uploaded(fresh!, day - 60_000);
  await logos.put(smallPng(4, 4, 5));

  await logos.sweep();

  const left = (await store.models.deskLogos.find({}, { _id: 1 }).lean()).map(({ _id }) => _id);
  expect(left.sort()).toEqual([used, earlier, fresh, again].sort());
  await expect(logos.read(unused!)).rejects.toMatchObject({ status: 404 });
});

test.each([
  [2048, 1, true],
  [1, 2048, true],
  [2049, 1, false],
  [1, 2049, false],
])('a logo of %d × %d pixels: %p', async (width, height, isFine) => {
  const put = createLogos(store.models).put(smallPng(width, height));
  if (isFine) expect(await put).toMatch(/^[\w-]{24}$/);
  else await expect(put).rejects.toMatchObject({ status: 413 });
});

async function givenOwners(count: number): Promise<Types.ObjectId[]> {
  const ids = Array.from({ length: count }, () => new Types.ObjectId());
  for (const _id of ids) {
    const name = _id.toHexString();
    await store.models.users.create({
      _id,
      username: name,
      nameKey: name,
      passwordHash: 'x',
      createdAt: new Date(),
    });
    const owner = `user:${name}`;
    await store.models.records.create([
      finishedRecord({ owner, createdAt: new Date(Date.now() - 40 * day) }),
      finishedRecord({ owner }),
    ]);
  }
  return ids;
}

/** What a sweep deletes. */
async function swept(days: () => number | null): Promise<{ owner: string; from: string; to: string }[]> {
  const deleted: { owner: string; from: string; to: string }[] = [];
  const deletions = {
    deleteDays: async (owner: string, { from, to }: { from: string; to: string }) => {
      deleted.push({ owner, from, to });
      return {} as never;
    },
  };
  await createRetention(store.models, deletions, days).sweep(new AbortController().signal);
  return deleted;
}

const dayBefore = (days: number) => new Date(Date.now() - days * day).toISOString().slice(0, 10);

test('whole days that are due are deleted, of accounts that exist', async () => {
  const [one, gone] = await givenOwners(2);
  await store.models.users.updateOne({ _id: gone! }, { $set: { deletedAt: new Date() } });
  await store.models.records.create(
    finishedRecord({ owner: 'guest:1', createdAt: new Date(Date.now() - 40 * day) }),
  );
  expect(await swept(() => 30)).toEqual([
    { owner: `user:${one!.toHexString()}`, from: dayBefore(40), to: dayBefore(31) },
  ]);
  expect(await swept(() => 41)).toEqual([]);
  expect(await swept(() => null)).toEqual([]);
  const retention = createRetention(store.models, { deleteDays: async () => ({}) as never }, () => null);
  expect(await retention.count(30)).toBe(2);
});

test('a sweep ends when the time is changed or the server stops', async () => {
  await givenOwners(3);
  let reads = 0;
  expect(await swept(() => (++reads > 2 ? 60 : 30))).toHaveLength(1);
  expect(await swept(() => 30)).toHaveLength(3);
  const stopped = AbortSignal.abort();
  let calls = 0;
  const deleteDays = async () => {
    calls += 1;
    return {} as never;
  };
  await createRetention(store.models, { deleteDays }, () => 30).sweep(stopped);
  expect(calls).toBe(0);
});
