import { afterAll, expect, test } from '@jest/globals';
import type { ChatAnswer } from '../contract/chat.ts';
import type {
  AskedAgain,
  KnowledgePairReply,
  KnowledgeSummary,
  UnansweredPage,
} from '../contract/knowledge.ts';
import type { DeskRecord } from '../contract/records.ts';
import { collectionCalls } from '../testing/collection-calls.ts';
import { startTestApi } from '../testing/start-test-api.ts';
import { until } from '../testing/until.ts';
import { createVisitor, type Visitor } from '../testing/visitor.ts';

const unanswered = '/api/knowledge/unanswered';

const ask = async (who: Visitor, text: string) => await who.ask(text);
const recordOf = async (who: Visitor, { recordId }: ChatAnswer) =>
  (await who.call<DeskRecord>('GET', `/api/records/${recordId}`)).body;
/** The inbox of someone once all questions are sorted. */
async function inbox(who: Visitor) {
  const isDue = () => api.connection.collection('records').findOne({ inboxDue: true });
  return until(async () => {
    const wasDue = await isDue();
    const { body } = await who.call<UnansweredPage>('GET', `${unanswered}?limit=100`);
    return !wasDue && body.questions;
  });
}
const questions = async (who: Visitor) => (await inbox(who)).map(({ question }) => question).sort();
const idOfQuestion = async (question: string) =>
  (await inbox(admin)).find((one) => one.question === question)!.id;

const api = await startTestApi({ config: { handbook: false, editors: ['*'] } });
const calls = await collectionCalls(api);
const { admin } = calls;
const staff = await calls.group('Staff');
/** Reads the collection. */
const insider = await calls.signedUp('ines');
/** Edits the first collection alone, as everyone does. */
const first = await calls.signedUp('fred');
/** Edits the collection alone. */
const named = await calls.signedUp('nadia');
await calls.changePerson('ines', { groups: [staff] });
await calls.changePerson('nadia', { roles: [] });
const readers = { groups: [staff], people: [] };
const salaries = await calls.collection('Salaries', { readers, editors: await calls.people('nadia') });
afterAll(() => api?.end());

test('editors see unanswered questions of people who may read their collections, and nothing that they may not read themselves', async () => {
  await ask(insider, 'Why is the zebra fund empty?');
  await ask(createVisitor(api.url), 'Where do parrots nest?');
  await ask(first, 'How long do whales sleep?');
  const ofOthers = ['How long do whales sleep?', 'Where do parrots nest?'];
  expect(await questions(first)).toEqual(ofOthers);
  expect(await questions(named)).toEqual(['Why is the zebra fund empty?']);
  expect(await questions(admin)).toEqual([...ofOthers, 'Why is the zebra fund empty?']);
  const counts = await Promise.all(
    [first, named, admin].map(
      async (who) => (await who.call<KnowledgeSummary>('GET', '/api/knowledge')).body.unanswered,
    ),
  );
  expect(counts).toEqual([2, 1, 3]);
  expect((await createVisitor(api.url).call('GET', unanswered)).status).toBe(401);
});

test('a question that an editor cannot see cannot be answered, dismissed, reopened or asked again by the editor', async () => {
  const id = await idOfQuestion('Why is the zebra fund empty?');
  for (const [path, body] of [
    ['answer', { answer: 'Nobody paid.' }],
    ['dismiss', undefined],
    ['reopen', undefined],
  ] as const)
    expect((await first.call('POST', `${unanswered}/${id}/${path}`, body)).status).toBe(404);
  const again = (await first.call<AskedAgain>('POST', `${unanswered}/ask-again`)).body;
  expect(again.count).toBe(2);
});

test('an answer goes into a collection that its askers read, and is withdrawn from those who leave it', async () => {
  const question = 'Who signs the heron list?';
  const asked = await ask(insider, question);
  await ask(first, question);
  expect((await inbox(admin)).filter((one) => one.question === question).map(({ count }) => count)).toEqual([
    1, 1,
  ]);
  const [one] = (await inbox(named)).filter((each) => each.question === question);
  expect(one?.collections).toEqual([salaries]);
  const other = await calls.collection('Other', { editors: await calls.people('nadia') });
  const put = (collectionId?: string) =>
    named.call<KnowledgePairReply>('POST', `${unanswered}/${one!.id}/answer`, {
      answer: 'The 6174th keeper.',
      ...(collectionId ? { collectionId } : {}),
    });
  for (const wrong of [undefined, 'everyone', other]) expect((await put(wrong)).status).toBe(403);
  const { status, body } = await put(salaries);
  expect([status, body.pair.collectionId]).toEqual([201, salaries]);
  expect((await recordOf(insider, asked)).answeredSince?.answer).toContain('6174');
  expect((await ask(insider, question)).response).toContain('6174');
  expect(JSON.stringify(await ask(first, question))).not.toContain('6174');
  await calls.changePerson('ines', { groups: [] });
  expect((await recordOf(insider, asked)).answeredSince).toBeNull();
  const csv = await insider.fetch('POST', '/api/export', {
    body: JSON.stringify({ filter: {}, format: 'csv' }),
    headers: { 'Content-Type': 'application/json' },
  });
  expect(await csv.text()).not.toContain('6174');
  await calls.changePerson('ines', { groups: [staff] });
  expect((await recordOf(insider, asked)).answeredSince?.answer).toContain('6174');
});

test('a question keeps the audience that it had when it was asked', async () => {
  const question = 'Which otter guards the vault?';
  await ask(insider, question);
  await calls.changePerson('ines', { groups: [] });
  expect(await questions(first)).not.toContain(question);
  expect(await questions(named)).toContain(question);
  await calls.changePerson('ines', { groups: [staff] });
});

test('after its collection is deleted, only people who may read everything see a question', async () => {
  const id = await calls.collection('Passing', { readers: { groups: [staff], people: [] } });
  const question = 'Why do foxes borrow umbrellas?';
  await ask(insider, question);
  await inbox(admin);
  expect((await admin.call('DELETE', `/api/knowledge/collections/${id}`)).status).toBe(200);
  expect(await questions(admin)).toContain(question);
  expect(await questions(first)).not.toContain(question);
  expect(await questions(named)).not.toContain(question);
});

test('records of earlier versions get the audience of their owner', async () => {
  const question = 'How deep is the badger hall?';
  const { recordId } = await ask(insider, question);
  await inbox(admin);
  const records = api.connection.collection('records');
  const mine = { question };
  await records.updateMany(mine, { $unset: { audience: 1 }, $set: { inboxDue: true } });
  expect(recordId).not.toBe('');
  expect(await questions(first)).not.toContain(question);
  expect(await questions(named)).toContain(question);
  expect(await records.findOne(mine)).toMatchObject({ audience: [salaries] });
});
