import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ChatAnswer } from '../../api/src/contract/chat.ts';
import type { ConversationPage, DeskRecord, RecordPage } from '../../api/src/contract/records.ts';
import { embeddedOnly } from '../../api/src/testing/embedded-only.ts';
import { createVisitor, type Visitor } from '../../api/src/testing/visitor.ts';
import { type Desk, startDesk, temporaryDataDir } from '../start-desk.ts';

let data: Awaited<ReturnType<typeof temporaryDataDir>>;
let desk: Desk;
/** A question that was asked and answered before the crash. */
const question = { text: '怎样注册账号？', clientId: 'the-one' };
let asker: Visitor;
let asked: ChatAnswer;

beforeAll(async () => {
  data = await temporaryDataDir();
  desk = await startDesk({ dataDir: data.dataDir, isApiAlone: true });
  asker = createVisitor(() => desk.url);
  asked = await ask(asker, question.text, question.clientId);
});
afterAll(async () => {
  await desk?.kill();
  await data?.remove();
});

test('a kill -9 during fifty questions loses no answer that was sent, and mixes no owners', async () => {
  const visitors = Array.from({ length: 10 }, () => createVisitor(() => desk.url));
  const given = new Map<Visitor, Map<string, { recordId: string; response: string }>>();
  let answers = 0;
  const enough = Promise.withResolvers<void>();

  const asking = visitors.map(async (visitor, who) => {
    const mine = new Map<string, { recordId: string; response: string }>();
    given.set(visitor, mine);
    for (let n = 0; n < 5; n++) {
      const text = `访客 ${who} 的第 ${n} 个问题：如何删除会话？`;
      const answer = await ask(visitor, text, `client-${who}-${n}`).catch(() => undefined);
      if (!answer) return;
      mine.set(text, answer);
      if (++answers === 20) enough.resolve();
    }
  });
  await enough.promise;
  await desk.kill();
  await Promise.all(asking);
  const before = answers;
  expect(before).toBeGreaterThanOrEqual(20);
  expect(before).toBeLessThan(50);

  desk = await startDesk({ dataDir: data.dataDir, isApiAlone: true });
  for (const [who, visitor] of visitors.entries()) {
    const records = await recordsOf(visitor);
    for (const record of records) {
      expect(record.question).toContain(`访客 ${who} 的`);
      expect(record.status).not.toBe('answering');
    }
    for (const [text, { recordId, response }] of given.get(visitor)!) {
      const kept = records.find(({ id }) => id === recordId);
      expect(kept).toMatchObject({ question: text, answer: response, status: 'done' });
    }
  }
});

test('after the crash, repeating a question with the same client id returns the same record', async () => {
  expect(await ask(asker, question.text, question.clientId)).toEqual(asked);
  expect(await recordsOf(asker)).toHaveLength(1);
});

embeddedOnly('a second start on data in use ends with a message that names the process', async () => {
  await expect(startDesk({ dataDir: data.dataDir, isApiAlone: true })).rejects.toThrow(String(desk.pid));
});

test('Ctrl-C ends it cleanly', async () => {
  expect(await desk.stop()).toBe(0);
});

async function ask(visitor: Visitor, text: string, clientId: string): Promise<ChatAnswer> {
  const { status, body } = await visitor.call<ChatAnswer>('POST', '/api/chat', { text, clientId });
  if (status !== 200) throw new Error(`POST /api/chat: ${status} ${JSON.stringify(body)}`);
  return body;
}

/** Every record of every conversation. */
async function recordsOf(visitor: Visitor): Promise<DeskRecord[]> {
  const all: DeskRecord[] = [];
  for await (const { conversations } of pages<ConversationPage>(visitor, '/api/conversations'))
    for (const { id } of conversations)
      for await (const { records } of pages<RecordPage>(visitor, `/api/conversations/${id}/records`))
        all.push(...records);
  return all;
}

/** The pages of a list, by cursor. */
async function* pages<Page extends { nextCursor: string | null }>(
  visitor: Visitor,
  path: string,
): AsyncGenerator<Page> {
  let cursor: string | null = null;
  do {
    const at: string = cursor ? `${path}?cursor=${encodeURIComponent(cursor)}` : path;
    const { body } = await visitor.call<Page>('GET', at);
    yield body;
    cursor = body.nextCursor;
  } while (cursor);
}
