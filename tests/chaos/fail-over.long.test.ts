import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import mongoose from 'mongoose';
import type { ChatAnswer } from '../../api/src/contract/chat.ts';
import type { RecordPage } from '../../api/src/contract/records.ts';
import { createVisitor } from '../../api/src/testing/visitor.ts';
import { findMongod } from '../mongod/find-mongod.ts';
import { startReplicaSet } from '../mongod/start-mongod.ts';
import { type Desk, startDesk, temporaryDataDir } from '../start-desk.ts';
import { type ModelStandIn, startModel } from '../start-model.ts';

jest.setTimeout(600_000);

const ASKERS = 4;
/** How long answers take: faults meet some that are running. */
const PIECES = 10;
const PIECE_MS = 100;
/** Time after recovery in which every interrupted answer must have ended, in ms. */
const STUCK_MS = 15_000;
const FROZEN_MS = 20_000;
/** Ends a test whose askers wait for ever, in ms. */
const RECOVERY_MS = 300_000;

const { path: binary, missing } = findMongod();
const onMongod = missing === undefined ? test : test.skip;

let set: Awaited<ReturnType<typeof startReplicaSet>>;
let model: ModelStandIn;
let data: Awaited<ReturnType<typeof temporaryDataDir>>[];
let desks: Desk[];
let client: mongoose.mongo.MongoClient;

const start = (index: number, port?: number) =>
  startDesk({
    dataDir: data[index]!.dataDir,
    ...(port ? { port } : {}),
    isApiAlone: true,
    env: {
      MONGODB_URI: set.uri.replace('/?', '/desk?'),
      OPENAI_BASE_URL: model.url,
      OPENAI_MODEL: 'stand-in',
      LOG_LEVEL: 'error',
    },
  });

beforeAll(async () => {
  if (missing !== undefined) return console.warn(missing);
  set = await startReplicaSet({ binary });
  const pieces = () => Array.from({ length: PIECES }, (_, n) => `第 ${n} 步：打开设置，修改密码[1]。`);
  model = await startModel({ pieces, pause: PIECE_MS });
  data = [await temporaryDataDir(), await temporaryDataDir()];
  desks = [await start(0), await start(1)];
  client = new mongoose.mongo.MongoClient(set.uri);
});
afterAll(async () => {
  await client?.close();
  for (const desk of desks ?? []) await desk.kill();
  await model?.close();
  await set?.end();
  for (const one of data ?? []) await one.remove();
});

interface Asker {
  acknowledged: Map<string, { text: string; response: string }>;
  /** Every response but 200: its status and error; 'no response' when the connection broke. */
  refused: string[];
  longestMs: number;
  conversationId: string;
}

/** Asks one question after the other, each with one clientId until it is answered, at the next process after a failure. */
async function askUntil(
  isOver: () => boolean,
  who: number,
): Promise<Asker & { visitor: ReturnType<typeof createVisitor> }> {
  let at = who;
  const visitor = createVisitor(() => desks[at % desks.length]!.url);
  const asker: Asker = { acknowledged: new Map(), refused: [], longestMs: 0, conversationId: '' };
  askers[who] = asker;
  for (let n = 0; !isOver(); n += 1) {
    const text = `怎样修改密码？ ${who}-${n}`;
    const began = Date.now();
    for (;;) {
      const reply = await visitor
        .call<ChatAnswer & { error: string }>('POST', '/api/chat', {
          text,
          clientId: `${who}-${n}`,
          ...(asker.conversationId ? { conversationId: asker.conversationId } : {}),
        })
        .catch(() => undefined);
      if (reply?.status === 200) {
        asker.conversationId = reply.body.conversationId;
        asker.acknowledged.set(reply.body.recordId, { text, response: reply.body.response });
        break;
      }
      asker.refused.push(reply ? `${reply.status} ${reply.body.error}` : 'no response');
      at += 1;
      await delay(200);
    }
    asker.longestMs = Math.max(asker.longestMs, Date.now() - began);
  }
  return { ...asker, visitor };
}
const askers: Asker[] = [];

const counts = () => askers.map(({ acknowledged }) => acknowledged.size);

/** Resolves when every asker has got further answers. @throws Error if one has none after a time in which all faults are over. */
async function allAnswered(further = 2): Promise<void> {
  const before = counts();
  const end = Date.now() + RECOVERY_MS;
  while (counts().some((count, who) => count < before[who]! + further)) {
    if (Date.now() > end)
      throw new Error(
        `no further answers: ${JSON.stringify({ before, now: counts(), last: askers.map(({ refused }) => refused.slice(-5)) })}`,
      );
    await delay(50);
  }
}

async function stuck(): Promise<number> {
  const before = new Date(Date.now() - STUCK_MS);
  return client
    .db('desk')
    .collection('records')
    .countDocuments({ status: 'answering', createdAt: { $lt: before } });
}

const faults: Record<string, () => Promise<void>> = {
  'the primary steps down': async () => {
    await set.stepDown();
  },
  'the primary is killed, and back after 10 s': async () => {
    const primary = await set.primary();
    await primary.kill();
    await delay(10_000);
    await primary.restart();
  },
  'the primary is frozen for 20 s': async () => {
    const primary = await set.primary();
    primary.signal('SIGSTOP');
    await delay(FROZEN_MS);
    primary.signal('SIGCONT');
  },
  'a process of the API is killed, and started again': async () => {
    const port = Number(new URL(desks[0]!.url).port);
    await desks[0]!.kill();
    desks[0] = await start(0, port);
  },
};

onMongod('fail-overs lose, change and double no acknowledged answer, and leave none unfinished', async () => {
  let isOver = false;
  const asking = Array.from({ length: ASKERS }, (_, who) => askUntil(() => isOver, who));
  const seen: string[] = [];
  try {
    await allAnswered();
    for (const [fault, cause] of Object.entries(faults)) {
      const refusedBefore = askers.map(({ refused }) => refused.length);
      for (const asker of askers) asker.longestMs = 0;
      await cause();
      await allAnswered();
      const recovered = Date.now();
      while (Date.now() < recovered + STUCK_MS) await delay(100);
      const refused = askers.flatMap(({ refused }, who) => refused.slice(refusedBefore[who]));
      const kinds = [...new Set(refused)].map(
        (kind) => `${refused.filter((one) => one === kind).length}× ${kind}`,
      );
      const longest = Math.max(...askers.map(({ longestMs }) => longestMs));
      seen.push(`${fault}: ${kinds.join(', ') || 'nothing refused'}; longest question ${longest} ms`);
      expect([fault, await stuck()]).toEqual([fault, 0]);
    }
  } finally {
    isOver = true;
  }
  const ended = await Promise.all(asking);
  console.warn([`${counts().reduce((sum, count) => sum + count, 0)} acknowledged`, ...seen].join('\n'));

  for (const { acknowledged, visitor, conversationId } of ended) {
    const kept = new Map<string, { text: string; response: string; status: string }>();
    let cursor: string | null = null;
    do {
      const query: string = cursor ? `?cursor=${encodeURIComponent(cursor)}` : '';
      const path = `/api/conversations/${conversationId}/records${query}`;
      const { body } = await visitor.call<RecordPage>('GET', path);
      for (const { id, question, answer, status } of body.records)
        kept.set(id, { text: question, response: answer, status });
      cursor = body.nextCursor;
    } while (cursor);
    for (const [id, one] of acknowledged)
      expect([id, kept.get(id)]).toEqual([id, { ...one, status: 'done' }]);
    const questions = [...kept.values()].map(({ text }) => text);
    expect(questions).toHaveLength(new Set(questions).size);
  }
});
