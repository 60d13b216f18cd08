import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ChatAnswer } from '../../api/src/contract/chat.ts';
import type { ConversationPage, RecordPage } from '../../api/src/contract/records.ts';
import { createVisitor, type Visitor } from '../../api/src/testing/visitor.ts';
import { findMongod } from '../mongod/find-mongod.ts';
import { type RunningMongod, startMongod } from '../mongod/start-mongod.ts';
import { type Desk, startDesk, temporaryDataDir } from '../start-desk.ts';

const KILLS = 10;
const ASKERS = 6;

// A standalone server, whose acknowledged writes can be lost in a crash unless the client requests
// journaling.
const { path: binary, missing } = findMongod();
const onMongod = missing === undefined ? test : test.skip;

let mongod: RunningMongod;
let data: Awaited<ReturnType<typeof temporaryDataDir>>;
let desk: Desk;
beforeAll(async () => {
  if (missing !== undefined) return console.warn(missing);
  mongod = await startMongod({ binary, isReplicaSet: false });
  data = await temporaryDataDir();
  const uri = new URL(mongod.uri);
  uri.pathname = '/desk';
  desk = await startDesk({ dataDir: data.dataDir, env: { MONGODB_URI: uri.href }, isApiAlone: true });
});
afterAll(async () => {
  await desk?.kill();
  await mongod?.end();
  await data?.remove();
});

onMongod(
  'nothing that was acknowledged is lost or changed when the database is killed again and again',
  async () => {
    let isOver = false;
    const askers = Array.from({ length: ASKERS }, () => ({
      visitor: createVisitor(() => desk.url),
      acknowledged: new Map<string, string>(),
    }));
    const refused = new Set<string>();
    const asking = askers.map(async ({ visitor, acknowledged }, who) => {
      for (let n = 0; !isOver; n += 1) {
        const text = `访客 ${who} 的第 ${n} 个问题：怎样删除会话？`;
        const reply = await visitor.call<ChatAnswer>('POST', '/api/chat', { text, clientId: `${who}-${n}` });
        if (reply.status === 200) acknowledged.set(reply.body.recordId, reply.body.response);
        else refused.add(String(reply.status));
      }
    });
    const count = () => askers.reduce((sum, { acknowledged }) => sum + acknowledged.size, 0);
    for (let kills = 0; kills < KILLS; kills += 1) {
      const before = count();
      while (count() < before + 2 * ASKERS) await delay(20);
      await mongod.kill();
      await delay(1000);
      await mongod.restart();
    }
    isOver = true;
    await Promise.all(asking);

    expect([...refused].filter((status) => status !== '503')).toEqual([]);
    for (const { visitor, acknowledged } of askers) {
      const kept = await recordsOf(visitor);
      for (const [id, response] of acknowledged)
        expect([id, kept.get(id)]).toEqual([id, { status: 'done', answer: response }]);
    }
  },
);

async function recordsOf(visitor: Visitor): Promise<Map<string, { status: string; answer: string }>> {
  const kept = new Map<string, { status: string; answer: string }>();
  let cursor: string | null = null;
  do {
    const query: string = cursor ? `?cursor=${cursor}` : '';
    const page = await visitor.call<ConversationPage>('GET', `/api/conversations${query}`);
    for (const { id } of page.body.conversations) {
      const { body } = await visitor.call<RecordPage>('GET', `/api/conversations/${id}/records`);
      for (const record of body.records)
        kept.set(record.id, { status: record.status, answer: record.answer });
    }
    cursor = page.body.nextCursor;
  } while (cursor);
  return kept;
}
