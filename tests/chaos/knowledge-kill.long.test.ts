import { setTimeout } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import type { ChatAnswer } from '../../api/src/contract/chat.ts';
import type {
  KnowledgeDocumentInfo,
  KnowledgePassagePage,
  KnowledgeSummary,
} from '../../api/src/contract/knowledge.ts';
import { addDocument, whenIndexed } from '../../api/src/testing/knowledge-calls.ts';
import { createVisitor } from '../../api/src/testing/visitor.ts';
import { startDesk, temporaryDataDir } from '../start-desk.ts';
import { connectToRunningStore } from './connect-to-running-store.ts';

test('a document of 5,000 sections is completely indexed and completely deleted, however often the server is killed meanwhile', async () => {
  await killDuringIndexing({ sections: 5000, killsAt: [0.1, 0.5] });
});

interface IndexingScale {
  /** Number of sections in the document, each at least one passage. */
  sections: number;
  /** The server is killed once these fractions of the sections are indexed; ascending, each below 1. */
  killsAt: readonly number[];
}

/**
 * Kills the server while it indexes and while it deletes a document, and checks that both are completed
 * afterwards.
 */
async function killDuringIndexing({ sections, killsAt }: IndexingScale): Promise<void> {
  const { dataDir, remove } = await temporaryDataDir();
  const start = () => startDesk({ dataDir, isApiAlone: true });
  let desk = await start();
  const editor = createVisitor(() => desk.url);
  const killAndStart = async () => {
    await desk.kill();
    desk = await start();
  };
  const summary = async () => (await editor.call<KnowledgeSummary>('GET', '/api/knowledge')).body;
  const get = (id: string) =>
    editor.call<{ document: KnowledgeDocumentInfo }>('GET', `/api/knowledge/documents/${id}`);
  const one = Math.floor(sections / 2);
  const askAboutOne = async () =>
    (await editor.call<ChatAnswer>('POST', '/api/chat', { text: `织女星仪表部件 ${one} 多久校准一次？` }))
      .body;
  const answer = `${one + 7} 天`;

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

  /** Polls until this many passages of the document are in the store. */
  async function untilWritten(documentId: string, passages: number): Promise<void> {
    const connection = await connectToRunningStore(dataDir);
    try {
      const written = () => connection.collection('passages').countDocuments({ documentId });
      while ((await written()) < passages) await setTimeout(5);
    } finally {
      await connection.close();
    }
  }

  try {
    await editor.signUp('editor', 'password-1');
    const before = await summary();
    const { body } = await addDocument(editor, 'manual.md', manualOf(sections));
    const { id } = body.document;
    for (const share of killsAt) {
      await untilWritten(id, share * sections);
      expect((await get(id)).body.document.status).toBe('indexing');
      await killAndStart();
      // The remaining work may be done already.
      expect(['indexing', 'ready']).toContain((await get(id)).body.document.status);
    }

    const ready = await whenIndexed(editor, id);
    expect(ready).toMatchObject({ status: 'ready', progress: 1, title: '织女星仪表手册' });
    expect(ready.passages).toBeGreaterThanOrEqual(sections);
    expect(await countPassages(id)).toBe(ready.passages);
    expect((await askAboutOne()).response).toContain(answer);

    const deleting = editor.call('DELETE', `/api/knowledge/documents/${id}`).catch(() => undefined);
    while ((await get(id)).status !== 404) await setTimeout(5);
    // A read may see data that is only committed at the end of the store's current turn; the next read is in
    // a later turn.
    expect((await get(id)).status).toBe(404);
    await killAndStart();
    await deleting;
    expect((await get(id)).status).toBe(404);
    while ((await askAboutOne()).response.includes(answer)) await setTimeout(50);
    expect(await summary()).toMatchObject({ documents: before.documents, passages: before.passages });
  } finally {
    await desk.kill();
    await remove();
  }
}

function manualOf(sections: number): string {
  const parts = ['# 织女星仪表手册'];
  for (let n = 0; n < sections; n += 1)
    parts.push(`## 部件 ${n} 的校准`, `部件 ${n} 每 ${n + 7} 天校准一次。校准时先断电，再按下 K${n} 键。`);
  return parts.join('\n\n');
}
