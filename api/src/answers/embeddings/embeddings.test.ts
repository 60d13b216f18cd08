import { afterAll, afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { pino } from 'pino';
import type { ConfiguredEmbeddings } from '../../config/configured-endpoint.ts';
import { type EmbeddingStandIn, startEmbeddingStandIn } from '../../testing/embedding-stand-in.ts';
import { openKnowledgeStore } from '../../testing/knowledge-store.ts';
import { createKnowledgeIndex } from '../index/create-knowledge-index.ts';
import type { FindablePassage } from '../index/findable.ts';
import { createEmbeddingEndpoint } from './embedding-endpoint.ts';
import { type OpenEmbeddings, openEmbeddings } from './open-embeddings.ts';
import { checkAllPassages, createPassageVectors } from './passage-vectors.ts';
import type { ScanLimits } from './vector-scan.ts';

let stand: EmbeddingStandIn;
const opened: OpenEmbeddings[] = [];
const log = pino({ level: 'silent' });

const store = await openKnowledgeStore();
beforeEach(async () => {
  stand = await startEmbeddingStandIn();
  for (const model of Object.values(store.models)) await model.deleteMany();
});
afterEach(async () => {
  for (const embeddings of opened.splice(0)) await embeddings.stop();
  await stand.end();
});
afterAll(() => store.end());

const configOf = (more: Partial<ConfiguredEmbeddings> = {}): ConfiguredEmbeddings => ({
  baseUrl: stand.baseUrl,
  model: 'letters',
  apiKey: '',
  queryPrefix: 'query: ',
  passagePrefix: 'passage: ',
  timeoutMs: 5000,
  ...more,
});

function open(more: Partial<ConfiguredEmbeddings> = {}, scanLimits?: ScanLimits): OpenEmbeddings {
  const embeddings = openEmbeddings({ config: configOf(more), models: store.models, log, scanLimits });
  opened.push(embeddings);
  return embeddings;
}

/** A document of one passage a text. */
async function put(documentId: string, texts: readonly string[], owner = ''): Promise<void> {
  const text = texts.map((one, at) => `# Part ${at}\n\n${one}`).join('\n\n');
  const index = createKnowledgeIndex(store.models);
  await index.put({ _id: documentId, owner, title: 'T', language: 'en', text });
}

const passages = () => store.models.passages.find({}).sort({ start: 1 }).lean();
const embedded = () => stand.requests.flat().filter((text) => text.startsWith('passage: '));
const tooMany: ScanLimits = { rows: 0, bytes: 0 };

/** Bytes, as the driver reads them. */
function sizeOf({ vector }: FindablePassage): number {
  return Buffer.from((vector as unknown as { buffer: Uint8Array }).buffer).length;
}

async function textsOf(ids: readonly string[] | null): Promise<string[] | null> {
  if (!ids) return null;
  const all = await passages();
  return ids.map((id) => all.find(({ _id }) => _id === id)!.text);
}

test('passages are embedded once, with their headings; later only new ones', async () => {
  await put('d', ['aaaa', 'bbbb']);
  const embeddings = open();
  expect(await embeddings.progress()).toEqual({ done: 0, total: 2 });
  await embeddings.finish();
  expect(embedded()).toHaveLength(2);
  expect(embedded()).toContain('passage: T › Part 0\naaaa');
  expect(await embeddings.progress()).toEqual({ done: 2, total: 2 });
  await put('d', ['aaaa', 'bbbb', 'cccc']);
  expect(await embeddings.progress()).toEqual({ done: 2, total: 3 });
  await embeddings.finish();
  await open().finish();
  expect(embedded()).toHaveLength(3);
  const rows = await store.models.findable.find({}).lean();
  expect(rows.map(sizeOf)).toEqual([36, 36, 36]);
});

test('the nearest passages are found and reranked', async () => {
  await put('d', ['aaaa', 'bbbb', 'aabb']);
  const embeddings = open();
  await embeddings.finish();
  const asked = embeddings.ask('aaaaaaaa');
  const ids = await asked.nearest('guest:1', [''], 2);
  expect(await textsOf(ids)).toEqual(['aaaa', 'aabb']);
  const all = (await passages()).map(({ _id }) => _id);
  const cosines = (await asked.rerank([...all, 'gone']))!;
  expect([...cosines.keys()].sort()).toEqual([...all].sort());
  expect(cosines.get(ids![0]!)).toBeGreaterThan(cosines.get(ids![1]!)!);
});

test('private passages are found only by their owner', async () => {
  await put('shared', ['bbbb']);
  await put('own', ['aaaa'], 'guest:1');
  const embeddings = open();
  await embeddings.finish();
  const found = async (owner: string) => textsOf(await embeddings.ask('aaaa').nearest(owner, [''], 5));
  expect(await found('guest:1')).toEqual(['aaaa', 'bbbb']);
  expect(await found('guest:2')).toEqual(['bbbb']);
});

test('passages of a collection are compared only for those who may read it', async () => {
  await put('shared', ['bbbb']);
  await put('restricted', ['aaaa', 'aabb'], 'collection:one');
  await put('other', ['abbb'], 'collection:two');
  const embeddings = open();
  await embeddings.finish();
  const found = async (owners: string[]) => textsOf(await embeddings.ask('aaaa').nearest('', owners, 2));
  expect(await found([''])).toEqual(['bbbb']);
  expect(await found(['', 'collection:one'])).toEqual(['aaaa', 'aabb']);
  expect(await found(['', 'collection:two'])).toEqual(['abbb', 'bbbb']);
});

test('private passages are read only for their owner, and do not displace shared ones', async () => {
  await put('shared', ['bbbb']);
  await put('own', ['aaaa', 'aabb', 'abbb'], 'guest:1');
  const embeddings = open({}, { rows: 1, bytes: 1000 });
  await embeddings.finish();
  const find = jest.spyOn(store.models.findable.collection, 'find');
  const reads = () => find.mock.calls.length;

  expect(await textsOf(await embeddings.ask('aaaa').nearest('', [''], 5))).toEqual(['bbbb']);
  expect(reads()).toBe(0);
  const asked = embeddings.ask('aaaa');
  expect(await textsOf(await asked.nearest('guest:1', [''], 2))).toEqual(['aaaa', 'aabb']);
  expect(reads()).toBe(1);
  find.mockRestore();
});

test('vectors that do not fit are not read again at once', async () => {
  await put('d', ['aaaa', 'bbbb']);
  const embeddings = open({}, { rows: 2, bytes: 1000 });
  await embeddings.finish();
  expect(await embeddings.ask('aaaa').nearest('', [''], 5)).toHaveLength(2);
  await put('e', ['cccc']);
  await embeddings.finish();
  expect(await embeddings.ask('aaaa').nearest('', [''], 5)).toBeNull();
  await embeddings.sync();
  const find = jest.spyOn(store.models.findable.collection, 'find');
  await embeddings.sync();
  expect(find.mock.calls).toHaveLength(0);
  find.mockRestore();
});

test('another model, dimension or prefix computes all vectors again; until then none are compared', async () => {
  await put('d', ['aaaa', 'bbbb']);
  await open().finish();
  const other = open({ model: 'other' });
  expect(await other.progress()).toEqual({ done: 0, total: 2 });
  await other.finish();
  expect(embedded()).toHaveLength(4);
  stand.dimensions = 16;
  const changed = open({ model: 'other' });
  await changed.sync();
  expect(await changed.ask('aaaa').rerank((await passages()).map(({ _id }) => _id))).toBeNull();
  await put('d', ['aaaa', 'bbbb', 'cccc']);
  await changed.finish();
  const rows = await store.models.findable.find({}).lean();
  expect(rows.map(sizeOf)).toEqual([20, 20, 20]);
  expect(await changed.ask('aaaa').rerank(rows.map(({ _id }) => _id))).not.toBeNull();
});

test('passages added while embeddings were off are found when they are on again', async () => {
  await put('d', ['aaaa']);
  await open().finish();
  const index = createKnowledgeIndex(store.models);
  await index.put({ _id: 'e', owner: '', title: 'T', language: 'en', text: 'bbbb' });
  await checkAllPassages(store.models);
  await open().finish();
  expect(embedded()).toHaveLength(2);
});

test('a failing endpoint is retried later, and computed vectors remain', async () => {
  await put('d', ['aaaa', 'bbbb']);
  stand.fails = 500;
  const vectors = createPassageVectors({
    models: store.models,
    endpoint: createEmbeddingEndpoint(configOf()),
    config: configOf(),
    log: { warn: () => (stand.fails = null), info: () => undefined } as never,
    waits: { firstMs: 1, maxMs: 2 },
  });
  await vectors.run(new AbortController().signal);
  expect(vectors.health.report()).toMatchObject({ failures: { server_error: 1 }, answered: 1 });
  expect(await vectors.progress()).toEqual({ done: 2, total: 2 });
});

test('a text that is too long for the endpoint is shortened, and the others are embedded as they are', async () => {
  stand.maxLength = 300;
  await put('d', ['aaaa', 'b'.repeat(800), 'cccc']);
  const embeddings = open();
  await embeddings.finish();
  const rows = await store.models.findable.find({}).lean();
  expect(rows.map(sizeOf)).toEqual([36, 36, 36]);
  expect(embedded()).toEqual(
    expect.arrayContaining(['passage: T › Part 0\naaaa', 'passage: T › Part 2\ncccc']),
  );
});

test('an endpoint whose dimensions keep changing is asked at growing intervals, which is logged and shown', async () => {
  await put(
    'd',
    Array.from({ length: 60 }, (_, at) => `text ${at}`),
  );
  Object.defineProperty(stand, 'dimensions', { get: () => (stand.requests.length % 2 === 0 ? 4 : 8) });
  const lines: { waitMs: number; dimensions: number }[] = [];
  const stopping = new AbortController();
  const vectors = createPassageVectors({
    models: store.models,
    endpoint: createEmbeddingEndpoint(configOf()),
    config: configOf(),
    log: {
      warn: (line: (typeof lines)[number]) => {
        lines.push(line);
        if (lines.length === 7) stopping.abort();
      },
      info: () => undefined,
    } as never,
    waits: { firstMs: 1, maxMs: 3 },
  });
  await expect(vectors.run(stopping.signal)).rejects.toThrow('aborted');
  expect(lines.map(({ waitMs }) => waitMs)).toEqual([1, 2, 4, 8, 16, 32, 36]);
  expect(stand.requests.length).toBe(lines.length + 1);
  expect(vectors.health.report()).toMatchObject({ failures: { malformed: 7 }, last: { kind: 'malformed' } });
});

test('after an interruption another process computes the rest, and both read all vectors', async () => {
  await put('d', ['aaaa', 'bbbb']);
  const [one, other] = [open(), open()];
  await expect(one.finish(AbortSignal.abort())).rejects.toThrow('aborted');
  expect(await one.isDue()).toBe(true);
  await other.finish();
  expect(embedded()).toHaveLength(2);
  expect(await one.isDue()).toBe(false);
  await one.sync();
  for (const each of [one, other]) expect(await each.ask('aaaa').nearest('', [''], 5)).toHaveLength(2);
});

test.each([['hang' as const], [500]])(
  'a question is answered without its vector when the endpoint fails: %s',
  async (fails) => {
    await put('d', ['aaaa']);
    const embeddings = open({ timeoutMs: 20 });
    await embeddings.finish();
    const ids = (await passages()).map(({ _id }) => _id);
    stand.fails = fails;
    for (const question of ['a', 'b', 'c']) {
      const asked = embeddings.ask(question);
      expect(await asked.nearest('', [''], 5)).toBeNull();
      expect(await asked.rerank(ids)).toBeNull();
    }
  },
);

test('a failing endpoint is not asked for a while, and a cached question does not need it', async () => {
  await put('d', ['aaaa']);
  const embeddings = open();
  await embeddings.finish();
  expect(await embeddings.ask('known').nearest('', [''], 5)).toHaveLength(1);
  stand.fails = 500;
  for (const question of ['a', 'b', 'c']) await embeddings.ask(question).nearest('', [''], 5);
  const requests = stand.requests.length;
  expect((await embeddings.status()).isAvailable).toBe(false);
  expect(await embeddings.ask('d').nearest('', [''], 5)).toBeNull();
  expect(await embeddings.ask('known').nearest('', [''], 5)).toHaveLength(1);
  expect(stand.requests).toHaveLength(requests);
});

test('too many passages are not searched, but still reranked', async () => {
  await put('d', ['aaaa', 'bbbb']);
  const embeddings = open({}, tooMany);
  await embeddings.finish();
  const asked = embeddings.ask('aaaa');
  expect(await asked.nearest('', [''], 5)).toBeNull();
  const ids = (await passages()).map(({ _id }) => _id);
  expect([...(await asked.rerank([...ids, 'gone']))!.keys()].sort()).toEqual([...ids].sort());
});

test('if the store fails meanwhile, passages are found by words', async () => {
  await put('d', ['aaaa']);
  const embeddings = open({}, tooMany);
  await embeddings.finish();
  const ids = (await passages()).map(({ _id }) => _id);
  const find = jest.spyOn(store.models.findable.collection, 'find').mockImplementation(() => {
    throw new Error('the store is away');
  });
  expect(await embeddings.ask('aaaa').rerank(ids)).toBeNull();
  find.mockRestore();
});
