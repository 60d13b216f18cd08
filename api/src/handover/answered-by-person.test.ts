import { afterAll, expect, test } from '@jest/globals';
import type { DeskRecord } from '../contract/records.ts';
import type { RecordStats, SearchPage } from '../contract/search.ts';
import { ask, askForPerson, newClientId, reply } from '../testing/handover-desk.ts';
import { createScriptedAnswerer } from '../testing/scripted-answerer.ts';
import { startTestApi } from '../testing/start-test-api.ts';
import { createVisitor, signedUp, type Visitor } from '../testing/visitor.ts';

const api = await startTestApi({ answerer: createScriptedAnswerer(), config: { editors: ['*'] } });
const agent = await signedUp(api.url, 'agent', 'long enough');
afterAll(() => api?.end());

const statsOf = async (visitor: Visitor) => (await visitor.call<RecordStats>('GET', '/api/stats')).body;
async function idsOf(visitor: Visitor, source: string): Promise<string[]> {
  const { body } = await visitor.call<SearchPage>('POST', '/api/search', { source });
  expect(body.total).toBe(body.records.length);
  return body.records.map(({ id }) => id);
}

test('a question that a person answered counts as answered by a person, everywhere', async () => {
  const visitor = createVisitor(api.url);
  const { recordId: other } = await ask(visitor, 'When are pears picked?');
  const { id, recordId } = await askForPerson(visitor, { question: 'Where is my parcel?' });
  expect(await statsOf(visitor)).toMatchObject({ answered: 1, unanswered: 1 });
  expect(await idsOf(visitor, 'none')).toEqual([recordId]);

  await reply(agent, id, 'It arrives tomorrow.');

  expect(await statsOf(visitor)).toMatchObject({
    total: 2,
    answered: 2,
    unanswered: 0,
    bySource: { curated: 0, document: 1, model: 0, person: 1, none: 0 },
  });
  expect(await idsOf(visitor, 'person')).toEqual([recordId]);
  expect(await idsOf(visitor, 'none')).toEqual([]);
  expect(await idsOf(visitor, 'document')).toEqual([other]);
  // Searches for words are counted without the store's grouping.
  const { body: found } = await visitor.call<RecordStats>('GET', '/api/stats?text=%22my%20parcel%22');
  expect(found).toMatchObject({ total: 1, unanswered: 0, bySource: { person: 1 } });

  const { body: record } = await visitor.call<DeskRecord>('GET', `/api/records/${recordId}`);
  expect(record).toMatchObject({ source: 'none', answeredByPerson: true });
  const exported = async (format: string) => {
    const body = JSON.stringify({ filter: { source: 'person' }, format });
    const headers = { 'Content-Type': 'application/json' };
    return (await visitor.fetch('POST', '/api/export', { body, headers })).text();
  };
  expect(await exported('csv')).toContain('"人工"');
  expect(await exported('json')).toContain('"answeredByPerson":true');
});

test('an answer of the desk stays its own if a person was asked about the whole conversation', async () => {
  const visitor = createVisitor(api.url);
  const { conversationId, recordId } = await ask(visitor, 'When are pears picked?');
  const { id } = await askForPerson(visitor, { conversationId });
  await reply(agent, id, 'About something else.');
  expect(await idsOf(visitor, 'document')).toEqual([recordId]);

  await visitor.call('POST', `/api/handovers/${id}/close`);
  const about = await askForPerson(visitor, { conversationId, recordId });
  await reply(agent, about.id, 'In September.');
  expect(await idsOf(visitor, 'person')).toEqual([recordId]);
});

test('a question answered by a person leaves the unanswered questions, unless the desk answered it badly', async () => {
  const visitor = createVisitor(api.url);
  const unanswered = async () =>
    (
      await agent.call<{ questions: { question: string }[] }>('GET', '/api/knowledge/unanswered')
    ).body.questions.map(({ question }) => question);
  const question = `Where is parcel ${newClientId()}?`;
  const { id } = await askForPerson(visitor, { question });
  expect(await unanswered()).toContain(question);
  await reply(agent, id, 'Tomorrow.');
  expect(await unanswered()).not.toContain(question);

  const bad = await ask(visitor, `When are plums ${newClientId()} picked?`);
  const asked = await askForPerson(visitor, { recordId: bad.recordId });
  await reply(agent, asked.id, 'In August.');
  await visitor.call('POST', '/api/feedback', { recordId: bad.recordId, rating: -1 });
  expect(await unanswered()).toContainEqual(expect.stringContaining('When are plums'));
});
