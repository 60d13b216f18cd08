import { afterAll, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { createKnowledgeModels } from './answers/knowledge-models.ts';
import { createCompositionStore } from './releases/data/composition-store.ts';
import type { Move } from './releases/data/pointer.ts';
import { createScriptedAnswerer } from './testing/scripted-answerer.ts';
import { startTestApi } from './testing/start-test-api.ts';
import { until } from './testing/until.ts';
import { createVisitor } from './testing/visitor.ts';

const opsToken = 'the-token-of-operations';
/** Number of items in each list, most of them with the same timestamp: these differ only by id. */
const most = 9;
const minuteAgo = Date.now() - 60_000;
const times = [3, 2, 2, 2, 2, 2, 2, 2, 1].map((ms) => new Date(minuteAgo + ms));

let conversation: string;

const api = await startTestApi({ answerer: createScriptedAnswerer(), config: { opsToken } });
const visitor = createVisitor(api.url);
// The first account is an editor.
await visitor.signUp('an editor', 'long enough');
await Promise.all([giveRecords(), giveKnowledge(), giveReleases()]);
afterAll(() => api.end());

/**
 * One record in each of nine conversations for nine contacts, and nine deletions; the first conversation has
 * nine records.
 */
async function giveRecords(): Promise<void> {
  const asked = await visitor.call<{ recordId: string; conversationId: string }>('POST', '/api/chat', {
    text: 'about “pears in autumn”',
    contact: 'one@example.com',
    contactName: 'Somebody',
  });
  conversation = asked.body.conversationId;
  await visitor.call('POST', '/api/delete_by_ids', { ids: [asked.body.recordId] });
  // On a busy machine the call returns before all of it is done.
  await until(async () => !(await api.connection.collection('erasures').findOne({ state: 'erasing' })));
  await visitor.call('POST', '/api/chat', { text: 'pears in autumn', contact: 'one@example.com' });
  const fields: Record<string, (index: number) => object> = {
    conversations: (index) => ({
      updatedAt: times[index],
      ...(index === 0 ? { _id: idOf(conversation) } : {}),
    }),
    contacts: (index) => ({ lastUsedAt: times[index], contactId: `${index}@example.com`, name: 'Somebody' }),
    erasures: (index) => ({ createdAt: times[index], undoToken: `token ${index}` }),
    records: (index) => ({ createdAt: times[index], conversationId: idOf(conversation) }),
  };
  for (const [name, of] of Object.entries(fields)) {
    const collection = api.connection.collection(name);
    const [first] = await collection.find({ erasedBy: null }).sort({ _id: -1 }).limit(1).toArray();
    await collection.deleteMany({});
    await collection.insertMany(
      times.map((_, index) => ({ ...first, _id: new Types.ObjectId(), ...of(index) })),
    );
  }
}

function idOf(text: string): Types.ObjectId {
  return new Types.ObjectId(text);
}

async function giveKnowledge(): Promise<void> {
  const { documents, passages, findable, pairs } = createKnowledgeModels(api.connection);
  const newId = () => new Types.ObjectId().toHexString();
  // Three consecutive parts.
  const parts = [
    ['upload', 'zh'],
    ['handbook', 'zh'],
    ['handbook', 'en'],
  ] as const;
  const status = 'ready';
  for (const [at, createdAt] of times.entries()) {
    const [source, language] = parts[at % 3]!;
    const shown = { language, createdAt, updatedAt: createdAt };
    await documents.create({ _id: newId(), source, title: `About pears ${at}`, status, ...shown });
    const pair = { answer: 'In autumn.', ...shown };
    const of = source === 'upload' ? 'editor' : source;
    await pairs.create({
      _id: newId(),
      source: of,
      question: `When are pears picked? ${at}`,
      keys: [`${at}`],
      ...pair,
    });
    const passage = { _id: newId(), documentId: 'd'.repeat(24), title: 'Pears', language, text: 'Pears.' };
    await passages.create({ ...passage, start: at * 10, end: at * 10 + 6 });
    await findable.create({
      _id: passage._id,
      documentId: passage.documentId,
      language,
      weights: Buffer.alloc(1),
    });
    await api.connection.collection('unanswered').insertOne({
      _id: newId() as never,
      state: 'open',
      question: `Why? ${at}`,
      ways: [],
      count: at === 4 ? 2 : 1,
      notFound: 1,
      notHelpful: 0,
      lastAskedAt: createdAt,
    });
  }
  await documents.create({
    _id: 'd'.repeat(24),
    source: 'upload',
    title: 'Its passages',
    language: 'en',
    status,
    createdAt: new Date(1),
  });
}

async function giveReleases(): Promise<void> {
  const { releases, compositions, moves } = createCompositionStore(api.connection);
  const digest = 'd'.repeat(64);
  for (const [at, date] of times.entries()) {
    const version = `1.0.${at}`;
    const release = `mfe-chat@${version}`;
    const host = { name: 'host', release, version, base: '/', digest, previous: null };
    const named = { _id: release, name: 'mfe-chat', version, base: '/', entry: 'entry.js' };
    const kept = { contract: '1.0.0', digest, createdAt: date, publishedAt: date };
    await releases.create({ ...named, ...kept, entryFiles: { js: [], css: [] } });
    await compositions.create({ _id: `${at}`.repeat(64), host, author: 'li', createdAt: date });
    const move: Partial<Move> = { _id: at + 1, at: date, kind: 'set', author: 'li' };
    await moves.create({ ...move, composition: `${at}`.repeat(64) });
  }
}

interface Page {
  nextCursor: string | null;
}

/** Reads one page: the keys of its items, and the cursor of the next page. */
async function readPage(
  path: string,
  limit: number,
  cursor: string | null,
): Promise<[string[], string | null]> {
  const [method = '', address = '', filter] = path.split(' ', 3);
  const url = new URL(address, api.url);
  const request = { limit, ...(cursor === null ? {} : { cursor }) };
  if (method === 'GET')
    for (const [name, value] of Object.entries(request)) url.searchParams.set(name, `${value}`);
  const body = method === 'GET' ? undefined : { ...JSON.parse(filter ?? '{}'), ...request };
  const headers = address.startsWith('/ops') ? { Authorization: `Bearer ${opsToken}` } : {};
  const reply = await visitor.call<Page>(method, url.pathname + url.search, body, headers);
  expect([path, reply.status]).toEqual([path, 200]);
  const list = Object.values(reply.body).find(Array.isArray) as Record<string, unknown>[];
  return [list.map((one) => String(one.id ?? one.undoToken ?? one.revision)), reply.body.nextCursor];
}

test.each([
  'GET /api/conversations',
  'GET /api/conversations/:id/records',
  'GET /api/records',
  'POST /api/search',
  'POST /api/search {"text":"pears"}',
  'POST /api/search {"text":"“pears”"}',
  'POST /api/search {"from":"2026-01-01"}',
  'GET /api/contacts',
  'GET /api/contacts?q=example',
  'POST /api/contacts/search {"q":"example"}',
  'GET /api/bin',
  'GET /api/knowledge/documents',
  'GET /api/knowledge/documents?q=about',
  `GET /api/knowledge/documents/${'d'.repeat(24)}/passages`,
  'GET /api/knowledge/pairs',
  'GET /api/knowledge/pairs?q=PICKED',
  'POST /api/knowledge/documents/search {"q":"about"}',
  'POST /api/knowledge/pairs/search {"q":"PICKED"}',
  'GET /api/knowledge/unanswered',
  'GET /ops/releases',
  'GET /ops/releases?name=mfe-chat',
  'GET /ops/compositions',
  'GET /ops/history',
])('%s: pages of any size contain every item once and in order', async (listed) => {
  const path = listed.replace(':id', conversation);
  const [whole, end] = await readPage(path, 100, null);
  expect([new Set(whole).size, end]).toEqual([listed.endsWith('/documents') ? most + 1 : most, null]);
  for (const limit of [1, 4, whole.length - 1, whole.length]) {
    const found: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const [page, next]: [string[], string | null] = await readPage(path, limit, cursor ?? null);
      // No page is empty, and all but the last are full.
      expect(page.length).toBe(Math.min(limit, whole.length - found.length));
      found.push(...page);
      cursor = next;
    }
    expect([limit, found]).toEqual([limit, whole]);
  }
});
