import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import type { ChatAnswer } from '../../api/src/contract/chat.ts';
import type { ConversationPage, RecordPage } from '../../api/src/contract/records.ts';
import { createVisitor, readEvents, type Visitor } from '../../api/src/testing/visitor.ts';
import { findMongod } from '../mongod/find-mongod.ts';
import { startReplicaSet } from '../mongod/start-mongod.ts';
import { type Desk, startDesk, temporaryDataDir } from '../start-desk.ts';
import { type ModelStandIn, startModel } from '../start-model.ts';

/** How far the clock of each process is wrong, in ms. */
const CLOCKS = [-3_600_000, 0, 3_600_000];
/** Every second one reads its answers as a stream. */
const ASKERS = 8;
/** How long answers take: faults meet some that are running. */
const PIECES = 10;
const PIECE_MS = 100;
/** Time after recovery in which every interrupted answer must have ended, in ms. */
const STUCK_MS = 15_000;
const FAULT_MS = 20_000;
const SLOW_MS = 200;
/** An asker closes a request after this time, like a proxy, in ms. */
const REQUEST_MS = 30_000;
/** Ends a test whose askers wait for ever, in ms. */
const RECOVERY_MS = 300_000;

const { path: binary, missing } = findMongod();
const onMongod = missing === undefined ? test : test.skip;

let set: Awaited<ReturnType<typeof startReplicaSet>>;
let model: ModelStandIn;
let data: Awaited<ReturnType<typeof temporaryDataDir>>[];
let desks: Desk[];
let client: mongoose.mongo.MongoClient;

/** Node's option that makes the clock of a process wrong. */
function wrongClock(ms: number): string {
  const { href } = pathToFileURL(path.join(import.meta.dirname, '../../api/src/testing/wrong-clock.ts'));
  return `--import=data:text/javascript,import{setClockWrong}from'${href}';setClockWrong(${ms})`;
}

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
      NODE_OPTIONS: wrongClock(CLOCKS[index]!),
    },
  });

beforeAll(async () => {
  if (missing !== undefined) return console.warn(missing);
  set = await startReplicaSet({ binary });
  const pieces = () => Array.from({ length: PIECES }, (_, n) => `第 ${n} 步：打开设置，修改密码[1]。`);
  model = await startModel({ pieces, pause: PIECE_MS });
  data = await Promise.all(CLOCKS.map(() => temporaryDataDir()));
  desks = [];
  for (const index of CLOCKS.keys()) desks.push(await start(index));
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
  visitor: Visitor;
  acknowledged: Map<string, { text: string; response: string }>;
  /** Every response but 200: its status, error and whether it says when to retry; 'no response' when the connection broke. */
  refused: string[];
  /** The longest time until a response was complete, in ms. */
  longestRequestMs: number;
  /** The longest time until a question was answered, with its repetitions, in ms. */
  longestQuestionMs: number;
  conversationId: string;
}
const askers: Asker[] = [];

type Outcome = { answer: ChatAnswer } | { refusal: string };

async function askOnce(visitor: Visitor, body: object, streams: boolean): Promise<Outcome> {
  const response = await visitor.fetch('POST', '/api/chat', {
    headers: { 'Content-Type': 'application/json', Accept: streams ? 'text/event-stream' : '*/*' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(REQUEST_MS),
  });
  if (!response.headers.get('Content-Type')?.startsWith('text/event-stream') || !response.body) {
    const reply = await response.json();
    if (response.ok) return { answer: reply };
    const retry = response.headers.has('Retry-After') ? '' : ' without Retry-After';
    return { refusal: `${response.status} ${reply.error}${retry}` };
  }
  for await (const { event, data } of readEvents(response.body)) {
    if (event === 'error') return { refusal: `event ${data.error}` };
    if (event === 'done')
      return data.status === 'done' ? { answer: data } : { refusal: `done ${data.status}` };
  }
  return { refusal: 'stream without an end' };
}

/** Asks one question after the other, each with one clientId until it is answered, at the next process after a failure. */
async function askUntil(isOver: () => boolean, who: number): Promise<void> {
  let at = who;
  const asker: Asker = {
    visitor: createVisitor(() => desks[at % desks.length]!.url),
    acknowledged: new Map(),
    refused: [],
    longestRequestMs: 0,
    longestQuestionMs: 0,
    conversationId: '',
  };
  askers[who] = asker;
  for (let n = 0; !isOver(); n += 1) {
    const text = `怎样修改密码？ ${who}-${n}`;
    const body = { text, clientId: `${who}-${n}` };
    const began = Date.now();
    for (;;) {
      const sent = Date.now();
      const conversation = asker.conversationId ? { conversationId: asker.conversationId } : {};
      const outcome = await askOnce(asker.visitor, { ...body, ...conversation }, who % 2 === 1).catch(
        (): Outcome => ({ refusal: 'no response' }),
      );
      asker.longestRequestMs = Math.max(asker.longestRequestMs, Date.now() - sent);
      if ('answer' in outcome) {
        const { conversationId, recordId, response } = outcome.answer;
        asker.conversationId = conversationId;
        asker.acknowledged.set(recordId, { text, response });
        break;
      }
      asker.refused.push(outcome.refusal);
      at += 1;
      await delay(200);
    }
    asker.longestQuestionMs = Math.max(asker.longestQuestionMs, Date.now() - began);
  }
}

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
  const [{ now }] = (await client
    .db('desk')
    .aggregate([{ $documents: [{}] }, { $project: { now: '$$NOW' } }])
    .toArray()) as [{ now: Date }];
  const before = new Date(now.getTime() - STUCK_MS);
  return client
    .db('desk')
    .collection('records')
    .countDocuments({ status: 'answering', createdAt: { $lt: before } });
}

async function restartDesk(index: number): Promise<void> {
  const port = Number(new URL(desks[index]!.url).port);
  await desks[index]!.kill();
  desks[index] = await start(index, port);
}

/** What ends the fault is run even if the test fails meanwhile. */
async function during(begin: () => void, end: () => void): Promise<void> {
  begin();
  try {
    await delay(FAULT_MS);
  } finally {
    end();
  }
}

const frozen = (one: { signal(name: 'SIGSTOP' | 'SIGCONT'): void }) =>
  during(
    () => one.signal('SIGSTOP'),
    () => one.signal('SIGCONT'),
  );

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
  'the primary is frozen for 20 s': async () => frozen(await set.primary()),
  'a secondary is frozen for 20 s': async () => frozen(await set.secondary()),
  'nothing reaches the primary or returns for 20 s': async () => {
    const { link } = await set.primary();
    await during(link.freeze, link.restore);
  },
  'connections to the primary are refused for 20 s': async () => {
    const { link } = await set.primary();
    await during(link.cut, link.restore);
  },
  'the database is 200 ms slower for 20 s': () =>
    during(
      () => {
        for (const { link } of set.members) link.slow(SLOW_MS);
      },
      () => {
        for (const { link } of set.members) link.restore();
      },
    ),
  'a process of the API is frozen for 20 s': () =>
    frozen({ signal: (name) => void process.kill(desks[1]!.pid, name) }),
  'the first process is killed, and started again': () => restartDesk(0),
  'the second process is killed, and started again': () => restartDesk(1),
  'the third process is killed, and started again': () => restartDesk(2),
};

onMongod('faults lose, change and double no acknowledged answer, and leave none unfinished', async () => {
  let isOver = false;
  const asking = Array.from({ length: ASKERS }, (_, who) => askUntil(() => isOver, who));
  const seen: string[] = [];
  try {
    await allAnswered();
    for (const [fault, cause] of Object.entries(faults)) {
      const refusedBefore = askers.map(({ refused }) => refused.length);
      for (const asker of askers) Object.assign(asker, { longestRequestMs: 0, longestQuestionMs: 0 });
      await cause();
      await allAnswered();
      await delay(STUCK_MS);
      const refused = Object.groupBy(
        askers.flatMap(({ refused }, who) => refused.slice(refusedBefore[who])),
        (kind) => kind,
      );
      const kinds = Object.entries(refused).map(([kind, ones]) => `${ones!.length} × ${kind}`);
      const request = Math.max(...askers.map(({ longestRequestMs }) => longestRequestMs));
      const question = Math.max(...askers.map(({ longestQuestionMs }) => longestQuestionMs));
      seen.push(
        `${fault}: ${kinds.join(', ') || 'nothing refused'}; longest request ${request} ms, question ${question} ms`,
      );
      expect([fault, await stuck()]).toEqual([fault, 0]);
    }
  } finally {
    isOver = true;
    await Promise.all(asking);
    console.warn([`${counts().reduce((sum, count) => sum + count, 0)} acknowledged`, ...seen].join('\n'));
  }

  for (const { acknowledged, visitor, conversationId } of askers) {
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
    const { body } = await visitor.call<ConversationPage>('GET', '/api/conversations');
    expect(body.conversations.map(({ recordCount }) => recordCount)).toEqual([kept.size]);
  }
});
