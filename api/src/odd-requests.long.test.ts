import { afterAll, expect, jest, test } from '@jest/globals';
import { createOddRequests } from './testing/odd-requests.ts';
import { createRandom } from './testing/random.ts';
import { startTestApi } from './testing/start-test-api.ts';
import { createVisitor, signedUp, type Visitor } from './testing/visitor.ts';

jest.setTimeout(3_600_000);

const opsToken = 'ops-token-for-odd-requests-0123456789';
/** Stands in all that the owner writes. */
const secret = 'zq7secretmark';
const words = ['owner', 'keeper', 'en', 'UTC', '2026-11-30', 'When are you open?', 'answered'];

const api = await startTestApi({ config: { opsToken } });
afterAll(() => api.end());
const [owner, keeper] = await Promise.all(
  ['owner', 'keeper'].map((name) => signedUp(api.url, name, 'a long password')),
);
const operator = createVisitor(api.url);
operator.token = opsToken;
await operator.call('POST', '/ops/administrators/grant', { username: 'keeper' });

const ids: string[] = [];
function collect(json: string): void {
  if (ids.length < 500) ids.push(...(json.match(/(?<=")[0-9a-f]{24}(?=")/g) ?? []));
}
async function prepare(visitor: Visitor, method: string, path: string, body?: object) {
  const reply = await visitor.call(method, path, body);
  expect(reply.status).toBeLessThan(300);
  collect(JSON.stringify(reply.body));
  return reply.body;
}
const { recordId, conversationId } = await prepare(owner!, 'POST', '/api/chat', {
  text: `How do I delete records? ${secret}`,
  contact: `Mrs. ${secret}`,
});
await prepare(owner!, 'POST', '/api/feedback', { recordId, rating: -1, note: secret });
await prepare(owner!, 'POST', '/api/handovers', {
  conversationId,
  recordId,
  question: secret,
  clientId: 'first',
});
await prepare(owner!, 'POST', `/api/conversations/${conversationId}/share`, {});
await prepare(keeper!, 'POST', '/api/knowledge/pairs', {
  question: 'When are you open?',
  answer: 'At nine.',
});

test.each([1, 2, 3, 4, 5])(
  'whatever is sent to any call gets an answer or an error of its own, and strangers learn nothing (seed %i)',
  async (seed) => {
    const next = createOddRequests(createRandom(seed), { ids, words });
    // First, and a new one: the requests of the others may give rights to anybody whom they find.
    const stranger = await signedUp(api.url, `stranger ${seed}`, 'a long password');
    const callers = { guest: createVisitor(api.url), stranger, keeper, owner, operator };
    for (const [name, caller] of Object.entries(callers)) {
      for (const { method, path, ...init } of next()) {
        const reply = await caller!.fetch(method, path, init);
        const text = await reply.text();
        const sent = [name, method, path, String(init.body).slice(0, 300), reply.status, text.slice(0, 300)];
        // Without a release there is no composition, and no page of one.
        const isWithoutRelease = reply.status === 503 && /^\/ops\/|\/callback\b/.test(path);
        if (reply.status >= 500 && !isWithoutRelease) expect(sent).toBe('no failure of the server');
        if (reply.status >= 400 && reply.status < 500 && text !== '') {
          if (!text.includes('"error"')) expect(sent).toBe('an error of the API');
        }
        if ((name === 'guest' || name === 'stranger') && text.includes(secret))
          expect(sent).toBe('nothing of the owner');
        if (reply.ok) collect(text);
      }
    }
  },
);
