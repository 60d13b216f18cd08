import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type {
  ChatAnswer,
  KnowledgeDocumentInfo,
  KnowledgePassagePage,
  KnowledgeSummary,
} from '../../api/src/contract.ts';
import { addDocument, whenIndexed } from '../../api/src/testing/knowledge-calls.ts';
import { createVisitor } from '../../api/src/testing/visitor.ts';
import { type Desk, startDesk, temporaryDataDir } from '../start-desk.ts';

// Thousands of passages are written, twice and more, on a machine that is busy with other things.
jest.setTimeout(600_000);

const sections = 5000;

let data: Awaited<ReturnType<typeof temporaryDataDir>>;
let desk: Desk;
const editor = createVisitor(() => desk.url);

beforeAll(async () => {
  data = await temporaryDataDir();
  desk = await startDesk({ dataDir: data.dataDir, isApiAlone: true });
  await editor.signUp('editor', 'password-1');
});
afterAll(async () => {
  await desk?.kill();
  await data?.remove();
});

function manual(): string {
  const parts = ['# 织女星仪表手册'];
  for (let n = 0; n < sections; n += 1)
    parts.push(`## 部件 ${n} 的校准`, `部件 ${n} 每 ${n + 7} 天校准一次。校准时先断电，再按下 K${n} 键。`);
  return parts.join('\n\n');
}

async function get(id: string): Promise<KnowledgeDocumentInfo> {
  const { body } = await editor.call<{ document: KnowledgeDocumentInfo }>(
    'GET',
    `/api/knowledge/documents/${id}`,
  );
  return body.document;
}

async function killAndStart(): Promise<void> {
  await desk.kill();
  desk = await startDesk({ dataDir: data.dataDir, isApiAlone: true });
}

async function summary(): Promise<KnowledgeSummary> {
  return (await editor.call<KnowledgeSummary>('GET', '/api/knowledge')).body;
}

async function countPassages(id: string): Promise<number> {
  let count = 0;
  for (let cursor: string | null = ''; cursor !== null; ) {
    const path: string = `/api/knowledge/documents/${id}/passages?limit=100${cursor && `&cursor=${cursor}`}`;
    const { body } = await editor.call<KnowledgePassagePage>('GET', path);
    count += body.passages.length;
    cursor = body.nextCursor;
  }
  return count;
}

test('a document is indexed to its end, and deleted to its end, however often the desk is killed at it', async () => {
  const before = await summary();
  const { body } = await addDocument(editor, 'manual.md', manual());
  const { id } = body.document;
  const seen: number[] = [];
  for (const share of [0.5, 0.7]) {
    for (;;) {
      const { status, progress } = await get(id);
      expect(status).toBe('indexing');
      if (progress > share) {
        seen.push(progress);
        break;
      }
      await setTimeout(20);
    }
    await killAndStart();
    // What was left may be done already.
    expect(['indexing', 'ready']).toContain((await get(id)).status);
  }
  expect(seen).toHaveLength(2);

  const ready = await whenIndexed(editor, id, 300_000);
  expect(ready).toMatchObject({ status: 'ready', progress: 1, title: '织女星仪表手册' });
  expect(ready.passages).toBeGreaterThanOrEqual(sections);
  expect(await countPassages(id)).toBe(ready.passages);
  const asked = await editor.call<ChatAnswer>('POST', '/api/chat', {
    text: '织女星仪表部件 2718 多久校准一次？',
  });
  expect(asked.body.response).toContain('2725 天');

  const deleting = editor.call('DELETE', `/api/knowledge/documents/${id}`).catch(() => undefined);
  while ((await editor.call('GET', `/api/knowledge/documents/${id}`)).status !== 404) await setTimeout(5);
  // A read may see what is only committed at the end of the store's turn; the next one comes in a later turn.
  expect((await editor.call('GET', `/api/knowledge/documents/${id}`)).status).toBe(404);
  await killAndStart();
  await deleting;
  expect((await editor.call('GET', `/api/knowledge/documents/${id}`)).status).toBe(404);
  for (const end = Date.now() + 120_000; ; await setTimeout(200)) {
    const again = await editor.call<ChatAnswer>('POST', '/api/chat', {
      text: '织女星仪表部件 2718 多久校准一次？',
    });
    if (!again.body.response.includes('2725 天')) break;
    expect(Date.now()).toBeLessThan(end);
  }
  expect(await summary()).toMatchObject({ documents: before.documents, passages: before.passages });
});
