import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Passage } from '../contract/answers.ts';
import type { ChatAnswer, PredictAnswer } from '../contract/chat.ts';
import type { Deletion } from '../contract/deletions.ts';
import { embeddedOnly } from '../testing/embedded-only.ts';
import { filesWith } from '../testing/files-with.ts';
import { startTestApi } from '../testing/start-test-api.ts';
import { createVisitor, type Visitor } from '../testing/visitor.ts';

let visitor: Visitor;

const api = await startTestApi({});
afterAll(() => api.end());
beforeEach(() => {
  visitor = createVisitor(api.url);
});

const manual = [
  '# Zephyrwind pump',
  '',
  '## Cleaning',
  '',
  'The filter of the Zephyrwind pump is rinsed every three weeks with lukewarm water.',
  '',
  '## Storage',
  '',
  'Before winter the Zephyrwind pump is drained and kept in a dry room.',
  '',
].join('\n');

async function predict(who: Visitor, content: string, text = ''): Promise<PredictAnswer> {
  const body = new FormData();
  if (text) body.append('text', text);
  body.append('file', new Blob([content]), 'manual.md');
  const response = await who.fetch('POST', '/api/predict', { body, headers: { 'Accept-Language': 'en' } });
  expect(response.status).toBe(200);
  return (await response.json()) as PredictAnswer;
}

async function ask(who: Visitor, text: string): Promise<ChatAnswer> {
  const { body } = await who.call<ChatAnswer>('POST', '/api/chat', { text }, { 'Accept-Language': 'en' });
  return body;
}

const question = 'How often is the filter of the Zephyrwind pump rinsed?';

describe('an answer from a file', () => {
  test('quotes the file literally, with a link that its owner can read', async () => {
    const answer = await predict(visitor, manual, question);

    expect(answer).toMatchObject({ source: 'document', response: expect.stringContaining('three weeks') });
    expect(answer.citations.length).toBeGreaterThan(0);
    for (const { quote, href, start, end } of answer.citations) {
      const { body } = await visitor.call<Passage>('GET', href);
      expect(manual).toContain(quote);
      expect(body.text.slice(start - body.start, end - body.start)).toBe(quote);
    }
  });

  test('summarises the file if nothing was asked', async () => {
    const answer = await predict(visitor, manual);

    expect(answer.source).toBe('document');
    expect(answer.citations.length).toBeGreaterThan(0);
  });

  test('is only given to its owner, also in later questions', async () => {
    await predict(visitor, manual, question);
    const other = createVisitor(api.url);
    await ask(other, 'hello');

    expect(await ask(visitor, question)).toMatchObject({ response: expect.stringContaining('three weeks') });
    const others = await ask(other, question);
    expect(others.response).not.toContain('three weeks');
    expect(JSON.stringify(others)).not.toContain('lukewarm');
  });

  test('is not given while its record is erased', async () => {
    const { recordId } = await predict(visitor, manual, question);
    const { body: erased } = await visitor.call<Deletion>('POST', '/api/delete_by_ids', { ids: [recordId] });

    expect((await ask(visitor, question)).response).not.toContain('three weeks');
    await visitor.call('POST', '/api/undo_delete', { undoToken: erased.undoToken });
    expect((await ask(visitor, question)).response).toContain('three weeks');
  });
});

embeddedOnly('a purged record leaves no word of its file in any file of the desk', async () => {
  const secret = 'quincunxblatt';
  const text = `# Notes\n\nThe ${secret} is hidden under the stairs of the old house.\n`;
  const { recordId } = await predict(visitor, text, 'What is under the stairs?');
  expect(await filesWith(api.dataDir, secret)).not.toEqual([]);

  const { body } = await visitor.call<Deletion>('POST', '/api/delete_by_ids', { ids: [recordId] });
  await visitor.call('POST', '/api/purge', { undoToken: body.undoToken });

  expect(await filesWith(api.dataDir, secret)).toEqual([]);
});
