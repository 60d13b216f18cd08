import { afterAll, describe, expect, test } from '@jest/globals';
import type { OpsSession } from '../contract/releases.ts';
import { createScriptedAnswerer } from '../testing/scripted-answerer.ts';
import { startTestApi } from '../testing/start-test-api.ts';
import { createVisitor, signedUp } from '../testing/visitor.ts';

const opsToken = 'the-token-of-operations';
const id = 'a'.repeat(64);

/** Every call of operations, with the roles that may make it. */
const calls: [method: string, path: string, who: 'token' | 'ops' | 'publishers' | 'readers'][] = [
  ['POST', '/ops/session', 'token'],
  ['POST', '/ops/pointer', 'ops'],
  ['POST', '/ops/pointer/rollback', 'ops'],
  ['POST', '/ops/compositions', 'ops'],
  ['POST', '/ops/canary', 'ops'],
  ['PATCH', '/ops/canary', 'ops'],
  ['POST', '/ops/canary/promote', 'ops'],
  ['POST', '/ops/canary/abort', 'ops'],
  ['POST', '/ops/override', 'ops'],
  ['POST', '/ops/check', 'publishers'],
  ['POST', '/ops/releases', 'publishers'],
  ['POST', '/ops/releases/mfe-chat@9.9.9/publish', 'publishers'],
  ['PUT', '/ops/releases/mfe-chat@9.9.9/files/x.js', 'publishers'],
  ['GET', '/ops/releases', 'readers'],
  ['GET', '/ops/releases/mfe-chat@9.9.9', 'readers'],
  ['GET', '/ops/compositions', 'readers'],
  ['GET', `/ops/compositions/${id}`, 'readers'],
  ['GET', '/ops/pointer', 'readers'],
  ['GET', '/ops/history', 'readers'],
  ['GET', `/ops/diff?from=${id}&to=${id}`, 'readers'],
  ['GET', '/ops/health', 'readers'],
];

/** Authorization headers by role. */
const who: Record<'nobody' | 'guess' | 'visitor' | 'team' | 'session' | 'token', string> = {
  nobody: '',
  guess: 'Bearer a-guess',
  visitor: '',
  team: 'Bearer the-token-of-a-team',
  session: '',
  token: `Bearer ${opsToken}`,
};

const api = await startTestApi({
  answerer: createScriptedAnswerer(),
  config: { opsToken, releaseTokens: { 'mfe-chat': 'the-token-of-a-team' } },
});
const visitor = await signedUp(api.url, 'a reader', 'long enough');
who.visitor = `Bearer ${visitor.token}`;
const asOps = { Authorization: who.token };
const { body } = await createVisitor(api.url).call<OpsSession>('POST', '/ops/session', undefined, asOps);
who.session = `Bearer ${body.token}`;
afterAll(() => api?.end());

/**
 * Returns 'in' if the call passed its guard: it then fails for another reason, since the body is empty and
 * nothing exists.
 */
async function through(method: string, path: string, as: keyof typeof who): Promise<string> {
  const headers = who[as] === '' ? {} : { Authorization: who[as] };
  const body = method === 'GET' ? undefined : {};
  const reply = await createVisitor(api.url).call<{ error?: string }>(method, path, body, headers);
  return reply.status === 401 || reply.status === 403 ? `${reply.status} ${reply.body.error}` : 'in';
}

describe('permissions of operations calls', () => {
  const wrong = '401 ops_token_wrong';
  const allowed = {
    token: { nobody: wrong, guess: wrong, visitor: wrong, team: wrong, session: wrong, token: 'in' },
    ops: { nobody: wrong, guess: wrong, visitor: wrong, team: '403 forbidden', session: 'in', token: 'in' },
    publishers: { nobody: wrong, guess: wrong, visitor: wrong, team: 'in', session: 'in', token: 'in' },
    readers: {
      nobody: '401 sign_in_required',
      guess: '401 session_ended',
      visitor: 'in',
      team: 'in',
      session: 'in',
      token: 'in',
    },
  };

  test.each(calls)('%s %s: %s', async (method, path, group) => {
    const found: Record<string, string> = {};
    for (const as of Object.keys(who) as (keyof typeof who)[]) found[as] = await through(method, path, as);
    expect(found).toEqual(allowed[group]);
  });
});
