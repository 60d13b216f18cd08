import { mkdtemp, rm } from 'node:fs/promises';
import https from 'node:https';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { ChatAnswer } from '../../api/src/contract/chat.ts';
import type { RecordPage } from '../../api/src/contract/records.ts';
import { findProxy, type RunningProxy, send, startRealProxy } from '../contract/start-real-proxy.ts';
import { findMongod } from '../mongod/find-mongod.ts';
import { type RunningMongod, startMongod } from '../mongod/start-mongod.ts';
import { type Desk, freePort, startDesk } from '../start-desk.ts';

const restarts = Number(process.env.TEST_RESTARTS ?? 20);
const askers = 6;
jest.setTimeout(restarts * 60_000);

const mongod = findMongod();
let database: RunningMongod;
let folder: string;
let desks: [Desk, Desk];
let ports: [number, number];
const start = (index: 0 | 1) =>
  startDesk({
    dataDir: path.join(folder, String(index)),
    port: ports[index],
    isApiAlone: true,
    env: { MONGODB_URI: database.uri.replace('/?', '/desk?'), TRUST_PROXY: '1', LOG_LEVEL: 'warn' },
  });

beforeAll(async () => {
  if (!mongod.path) return;
  folder = await mkdtemp(path.join(os.tmpdir(), 'desk-rolling-'));
  database = await startMongod({ binary: mongod.path });
  ports = [await freePort(), await freePort()];
  desks = [await start(0), await start(1)];
});
afterAll(async () => {
  for (const desk of desks ?? []) await desk.kill();
  await database?.end();
  if (folder) await rm(folder, { recursive: true, force: true });
});

describe.each(['nginx', 'haproxy'] as const)('behind %s', (name) => {
  const ifPossible = findProxy(name) && mongod.path ? test : test.skip;
  let proxy: RunningProxy;
  beforeAll(async () => {
    if (findProxy(name) && mongod.path) proxy = await startRealProxy(name, ports);
    else console.error(`needs ${name} (apt-get install ${name}) and a mongod: ${mongod.missing ?? ''}`);
  });
  afterAll(() => proxy?.stop());

  ifPossible(
    `${restarts} rolling restarts of two processes under load fail no request and lose no answer`,
    async () => {
      let isOver = false;
      const failures: string[] = [];
      let requests = 0;
      const asking = Array.from({ length: askers }, async (_, who) => {
        const agent = new https.Agent({ keepAlive: true });
        const ledger = new Map<string, string>();
        let cookie = '';
        let csrf = '';
        const call = async (method: string, to: string, body?: object) => {
          requests++;
          const headers = {
            ...(cookie ? { Cookie: cookie, 'X-XSRF-TOKEN': csrf } : {}),
            ...(body ? { 'Content-Type': 'application/json' } : {}),
          };
          const sent = { method, headers, agent, ...(body ? { body: JSON.stringify(body) } : {}) };
          try {
            const answer = await send(proxy.url, to, sent);
            const text = await answer.text();
            const cookies = answer.headers['set-cookie']?.map((one) => one.split(';')[0]!) ?? [];
            if (cookies.length > 0) cookie = cookies.join('; ');
            csrf = /XSRF-TOKEN=([^;]*)/.exec(cookie)?.[1] ?? '';
            if (answer.status !== 200) throw new Error(`${answer.status} ${text.slice(0, 200)}`);
            return JSON.parse(text);
          } catch (cause) {
            failures.push(`${method} ${to}: ${(cause as Error).message}`);
            return null;
          }
        };
        let conversationId = '';
        for (let n = 0; !isOver; n++) {
          const question = { text: `怎样修改密码？ ${who}-${n}`, clientId: `${who}-${n}` };
          const asked: ChatAnswer | null = await call('POST', '/api/chat', {
            ...question,
            ...(conversationId ? { conversationId } : {}),
          });
          if (asked) ledger.set(asked.recordId, asked.response);
          conversationId ||= asked?.conversationId ?? '';
          await call('GET', '/api/conversations');
        }
        const kept = new Map<string, string>();
        let cursor: string | null = null;
        do {
          const page: RecordPage | null = await call(
            'GET',
            `/api/conversations/${conversationId}/records${cursor ? `?cursor=${encodeURIComponent(cursor)}` : ''}`,
          );
          for (const { id, answer } of page?.records ?? []) kept.set(id, answer);
          cursor = page?.nextCursor ?? null;
        } while (cursor);
        agent.destroy();
        return { asked: ledger.size, lost: [...ledger].filter(([id, answer]) => kept.get(id) !== answer) };
      });
      try {
        for (let n = 0; n < restarts; n++) {
          const index = (n % 2) as 0 | 1;
          expect(await desks[index].terminate()).toBe(0);
          desks[index] = await start(index);
        }
      } finally {
        isOver = true;
      }
      const ledgers = await Promise.all(asking);
      console.warn(
        `${name}: ${requests} requests, ${ledgers.reduce((sum, { asked }) => sum + asked, 0)} answers`,
      );
      expect(failures).toEqual([]);
      expect(ledgers.flatMap(({ lost }) => lost)).toEqual([]);
      expect(requests).toBeGreaterThan(restarts * askers);
    },
  );
});
