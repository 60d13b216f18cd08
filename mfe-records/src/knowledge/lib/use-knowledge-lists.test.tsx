import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { act, renderHook } from '@testing-library/react';
import { createStandInServices } from 'host/stand-ins';
import { ScreenRoot } from '../../lib/screen-root.tsx';
import { createKnowledgeServer } from '../../testing/knowledge-server.ts';
import { sampleKnowledge } from '../../testing/sample-knowledge.ts';
import { useKnowledgeLists } from './use-knowledge-lists.ts';

let visibility: DocumentVisibilityState = 'visible';
const turn = (to: DocumentVisibilityState) => {
  visibility = to;
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
};
const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));

beforeEach(() => {
  jest.useFakeTimers();
  visibility = 'visible';
  jest.spyOn(document, 'visibilityState', 'get').mockImplementation(() => visibility);
});
afterEach(() => {
  jest.useRealTimers();
});

/** The lists with a document that is being indexed until the test ends that, and the number of reads. */
async function open() {
  const server = createKnowledgeServer(sampleKnowledge());
  const indexed = { ...server.documents[0]!, status: 'indexing' as 'indexing' | 'ready' };
  const { services, calls } = createStandInServices({
    answers: (call) =>
      call.url === '/api/knowledge/documents'
        ? { documents: [{ ...indexed }], total: 1, passages: 0, nextCursor: null }
        : server.answer(call),
    username: 'anna',
    token: 'token',
  });
  const summary = { isEditor: true, guestsAsk: true, documents: 1, passages: 0, pairs: 0, unanswered: 0 };
  const hook = renderHook(() => useKnowledgeLists({ summary, collection: '', part: null, isNarrow: false }), {
    wrapper: ({ children }) => <ScreenRoot services={services}>{children}</ScreenRoot>,
  });
  await pass(1);
  const reads = () => calls.filter(({ url }) => url === '/api/knowledge/documents').length;
  expect(reads()).toBe(1);
  return { indexed, reads, ...hook };
}

test('polls documents being indexed after a second, then less and less often', async () => {
  const { reads } = await open();

  await pass(1000);
  expect(reads()).toBe(2);
  await pass(1000);
  expect(reads()).toBe(2);
  await pass(60_000);
  const busy = reads();
  await pass(60_000);
  expect(reads() - busy).toBeLessThanOrEqual(6);
  expect(reads() - busy).toBeGreaterThanOrEqual(5);
});

test('does not poll while the page is hidden, and refreshes when it becomes visible', async () => {
  const { reads } = await open();

  turn('hidden');
  await pass(60_000);
  expect(reads()).toBe(1);
  turn('visible');
  await pass(1000);
  expect(reads()).toBe(2);
});

test('stops polling when all documents are indexed, and when the screen is left', async () => {
  const { indexed, reads, unmount } = await open();

  indexed.status = 'ready';
  await pass(60_000);
  expect(reads()).toBe(2);
  indexed.status = 'indexing';
  turn('visible');
  await pass(1);
  expect(reads()).toBe(3);
  unmount();
  await pass(60_000);
  expect(reads()).toBe(3);
});
