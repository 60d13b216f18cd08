import { afterAll, expect, jest, test } from '@jest/globals';
import type { ChatAnswer } from '../contract/chat.ts';
import type { CollectionList } from '../contract/collections.ts';
import type { ErrorBody } from '../contract/error-body.ts';
import type { DeskOverview } from '../contract/overview.ts';
import { createDeskDays } from '../records/statistics/desk-days.ts';
import { givenDocument } from '../testing/knowledge-calls.ts';
import { finishedRecord, openTestModels } from '../testing/open-test-models.ts';
import { startTestApi } from '../testing/start-test-api.ts';
import { until } from '../testing/until.ts';
import { createVisitor } from '../testing/visitor.ts';

const api = await startTestApi({});
const [admin, reader] = [createVisitor(api.url), createVisitor(api.url)];
await admin.signUp('first', 'password-1');
await reader.signUp('reader', 'password-2');
const { models, end: endModels } = await openTestModels();
const deskDays = createDeskDays(models.records, models.deskDays);
afterAll(() => Promise.all([api.end(), endModels()]));

const hourMs = 3_600_000;
const never = new AbortController().signal;

test('only administrators read the overview', async () => {
  const path = '/api/overview';
  expect((await createVisitor(api.url).call<ErrorBody>('GET', path)).status).toBe(401);
  expect((await reader.call<ErrorBody>('GET', path)).body.error).toBe('forbidden');
  expect((await admin.call<ErrorBody>('GET', `${path}?days=91`)).status).toBe(400);
  expect((await admin.call<ErrorBody>('GET', `${path}?tz=Mars`)).status).toBe(400);
});

test('it counts what all visitors ask, and contains nobody’s text but that of the inbox', async () => {
  await givenDocument(
    admin,
    '手册.md',
    '# 净水器\n\n## 滤芯\n\n净水器的滤芯每六个月更换一次。\n',
    '净水器手册',
  );
  const said = '净水器的滤芯多久更换一次？';
  const { body } = await reader.call<ChatAnswer>('POST', '/api/chat', { text: said });
  expect(body.source).toBe('document');
  await reader.call('POST', '/api/feedback', { recordId: body.recordId, rating: 1 });
  const unknown = '水獭馆几点喂食？';
  await createVisitor(api.url).call<ChatAnswer>('POST', '/api/chat', { text: unknown });

  // Citations and unanswered questions are counted in the background.
  const reply = await until(async () => {
    const read = await admin.call<DeskOverview>('GET', '/api/overview?days=7&tz=Asia/Shanghai');
    return read.body.mostCited.length > 0 && read.body.topUnanswered.length > 0 && read;
  });

  expect(reply.status).toBe(200);
  expect(reply.body).toMatchObject({
    total: 2,
    satisfaction: { up: 1, down: 0 },
    byOutcome: { answered: 1, person: 0 },
    mostCited: [{ title: '净水器手册', cited: 1 }],
    topUnanswered: [{ question: unknown, count: 1 }],
  });
  expect(reply.body.byDay.reduce((sum, { count }) => sum + count, 0)).toBe(2);
  expect(JSON.stringify(reply.body)).not.toContain(said);
});

test('it names the most cited documents of all collections that the administrator reads', async () => {
  const nobody = { groups: [], people: [] };
  const vault = { name: 'Vault', access: 'some', readers: nobody, editors: nobody };
  const { body } = await admin.call<CollectionList>('POST', '/api/knowledge/collections', vault);
  const { id = '' } = body.collections.find(({ name }) => name === 'Vault') ?? {};
  await givenDocument(admin, '金库.md', '# 金库\n\n金库的钥匙由财务总监保管。\n', '金库制度', id);
  await admin.call<ChatAnswer>('POST', '/api/chat', { text: '金库的钥匙由谁保管？' });
  await until(async () => {
    const read = await admin.call<DeskOverview>('GET', '/api/overview');
    return read.body.mostCited.some(({ title }) => title === '金库制度');
  });
});

test('days are counted in advance, as days of the time zone; later changes of old days are not counted', async () => {
  const now = Date.now();
  // The end of the day before, in a time zone half an hour off.
  const midnight = new Date(now + 5.5 * hourMs).setUTCHours(0, 0, 0, 0) - 5.5 * hourMs;
  const at = (ms: number) => new Date(midnight - 20 * 24 * hourMs + ms);
  const [before, after] = [at(-1), at(0)];
  await models.records.insertMany([
    finishedRecord({ owner: 'user:a', createdAt: before, source: 'none', outcome: 'related' }),
    finishedRecord({ owner: 'user:b', createdAt: after, source: 'none', answeredByPerson: true }),
    finishedRecord({ owner: 'guest:c', createdAt: after, feedback: { rating: -1, note: '' } }),
  ]);
  await deskDays.sweep(never);

  const read = () => deskDays.read(30, 'Asia/Kolkata');
  const counted = await read();

  expect(counted.byDay.map(({ count }) => count)).toEqual([1, 2]);
  expect(counted).toMatchObject({
    total: 3,
    byOutcome: { answered: 1, related: 1, nothing: 0, person: 1 },
    satisfaction: { up: 0, down: 1 },
  });
  expect((await deskDays.read(20, 'Asia/Kolkata')).total).toBe(0);
  expect((await deskDays.read(21, 'Asia/Kolkata')).total).toBe(2);
  await models.records.deleteMany({});
  await deskDays.sweep(never);
  expect(await read()).toEqual(counted);
});

test('the latest days are counted again, as their answers are still rated and deleted; the oldest are removed', async () => {
  const at = new Date(Date.now() - 3 * 24 * hourMs);
  const record = (owner: string) => finishedRecord({ owner, createdAt: at });
  const [rated, deleted] = [record('user:a'), record('user:b')];
  await models.records.insertMany([rated, deleted]);
  const counts = await models.deskDays.create({ _id: '2020-01-01', quarters: [], countedAt: new Date() });
  await deskDays.sweep(never);
  expect(await deskDays.read(7, 'UTC')).toMatchObject({ total: 2, satisfaction: { up: 0, down: 0 } });

  await models.records.updateOne({ _id: rated._id }, { $set: { feedback: { rating: -1, note: '' } } });
  await models.records.deleteOne({ _id: deleted._id });
  await deskDays.sweep(never);

  expect(await deskDays.read(7, 'UTC')).toMatchObject({ total: 1, satisfaction: { up: 0, down: 1 } });
  expect(await models.deskDays.exists({ _id: counts._id })).toBeNull();
});

test('today and yesterday are counted again after a minute, as days of a time zone may lie in both', async () => {
  const ask = (daysAgo: number) =>
    models.records.create(finishedRecord({ createdAt: new Date(Date.now() - daysAgo * 24 * hourMs) }));
  const age = (ms: number) =>
    models.deskDays.updateMany({}, { $set: { countedAt: new Date(Date.now() - ms) } });
  const total = async () => (await deskDays.read(2, 'UTC')).total;
  const before = await total();
  for (const daysAgo of [0, 1]) await ask(daysAgo);
  await age(0);
  expect(await total()).toBe(before);
  await age(hourMs);
  expect(await total()).toBe(before + 2);
});

test('days before the first question are not counted', async () => {
  await models.records.deleteMany({});
  await models.deskDays.deleteMany({});
  const read = jest.spyOn(models.records, 'aggregate');
  await deskDays.sweep(never);
  expect(read).not.toHaveBeenCalled();

  const tenDaysAgo = new Date(Date.now() - 240 * hourMs);
  await models.records.insertMany([finishedRecord({ createdAt: tenDaysAgo })]);
  await deskDays.sweep(never);
  const days = await models.deskDays.find({}).sort({ _id: 1 }).lean();
  expect(days).toHaveLength(9);
  expect(days[0]).toMatchObject({ _id: tenDaysAgo.toISOString().slice(0, 10), quarters: [{ answered: 1 }] });
  read.mockRestore();
});

test('reading reads no records of days that are counted', async () => {
  await deskDays.read(90, 'UTC');
  const reads = jest.spyOn(models.records, 'aggregate');
  await deskDays.read(90, 'UTC');
  expect(reads).not.toHaveBeenCalled();
  reads.mockRestore();
});
