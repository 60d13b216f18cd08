import { afterAll, expect, test } from '@jest/globals';
import type { Answerer, AnswerPiece } from '../answers/answerer.ts';
import type { Doubt, Outcome } from '../contract/answers.ts';
import type { ChatAnswer } from '../contract/chat.ts';
import type { UnansweredPage } from '../contract/knowledge.ts';
import type { DeskRecord } from '../contract/records.ts';
import type { RecordStats, SearchPage } from '../contract/search.ts';
import type { NewShare, SharedConversation } from '../contract/sharing.ts';
import { startTestApi } from '../testing/start-test-api.ts';
import { until } from '../testing/until.ts';
import { createVisitor, signedUp } from '../testing/visitor.ts';

/** Of “An answer to …”. */
const doubts: Doubt[] = [{ kind: 'number', start: 3, end: 9 }];

/** Judges by the question: "related …", "nothing …", anything else is answered. */
const answerer: Answerer = {
  async *answer({ text }): AsyncGenerator<AnswerPiece> {
    const outcome: Outcome =
      (['related', 'nothing'] as const).find((one) => text.startsWith(one)) ?? 'answered';
    yield { kind: 'text', text: `An answer to ${text}` };
    const source = outcome === 'answered' ? 'document' : 'none';
    const judged = { outcome, unsupported: ['the price'], understoodAs: `earlier, ${text}`, doubts };
    yield { kind: 'final', source, ...judged, citations: [], suggestions: [] };
  },
};

const api = await startTestApi({ answerer });
afterAll(() => api.end());

const questions: Record<Outcome, string> = {
  answered: 'found it',
  related: 'related one',
  nothing: 'nothing here',
};
const outcomes = Object.entries(questions) as [Outcome, string][];

test('every place that shows an answer knows its outcome', async () => {
  const visitor = createVisitor(api.url);
  for (const [outcome, text] of outcomes) {
    const { body } = await visitor.call<ChatAnswer>('POST', '/api/chat', { text });
    const judged = { outcome, unsupported: ['the price'], understoodAs: `earlier, ${text}`, doubts };
    expect(body).toMatchObject(judged);
    const path = `/api/records/${body.recordId}`;
    expect((await visitor.call<DeskRecord>('GET', path)).body).toMatchObject(judged);

    const conversation = `/api/conversations/${body.conversationId}`;
    const exported = await visitor.fetch('GET', `${conversation}/export?format=markdown`);
    expect(await exported.text()).toContain('An answer（未见依据） to');
    const share = await visitor.call<NewShare>('POST', `${conversation}/share`, { files: false });
    const { token } = share.body;
    const shared = await visitor.call<SharedConversation>('POST', '/api/shared', { token });
    expect(shared.body.records[0]!.answer).toContain('An answer[0] to');

    const found = await visitor.call<SearchPage>('POST', '/api/search', { outcome });
    expect(found.body.records.map(({ question }) => question)).toEqual([text]);
    expect(found.body.total).toBe(1);
  }
  const stats = await visitor.call<RecordStats>('POST', '/api/stats', {});
  expect(stats.body).toMatchObject({
    answered: 1,
    unanswered: 2,
    byOutcome: { answered: 1, related: 1, nothing: 1 },
  });
});

test('a question with a related answer is in the inbox of unanswered questions', async () => {
  const editor = await signedUp(api.url, 'editor', 'password-1');
  await createVisitor(api.url).call('POST', '/api/chat', { text: 'related to nobody else' });

  // A list is sent after a second, even if questions are still being sorted into it.
  await until(async () => {
    const { body } = await editor.call<UnansweredPage>('GET', '/api/knowledge/unanswered?limit=100');
    return body.questions.some(({ question }) => question === 'related to nobody else');
  });
});
