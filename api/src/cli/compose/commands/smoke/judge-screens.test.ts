import { expect, test } from '@jest/globals';
import type { z } from 'zod';
import type { ChosenRelease, CompositionInfo } from '../../../../contract/compositions.ts';
import { operations } from '../../../../contract/operations.ts';
import type { PageComposition, PageRelease } from '../../../../contract/pages.ts';
import { createSay } from '../../../../i18n/texts-of.ts';
import emptyReplies from './empty-replies.json' with { type: 'json' };
import { answerCall, type OpenedScreen } from './open-screens.ts';
import { findProblems } from './smoke.ts';

const chosen = (name: string, version: string): ChosenRelease => ({
  name,
  release: `${name}@${version}`,
  version,
  base: `/chatbot/releases/${name}/${version}/`,
  digest: '',
  previous: null,
});
const composition: CompositionInfo = {
  id: 'c'.repeat(64),
  host: chosen('host', '1.0.0'),
  remotes: [chosen('mfe-chat', '1.5.0')],
  parent: null,
  author: 'anna',
  reason: '',
  createdAt: '2026-11-21T14:00:00.000Z',
};
const onPage = (name: string, version: string): PageRelease => ({
  name,
  version,
  entry: `/chatbot/releases/${name}/${version}/remoteEntry.js`,
  container: name,
  contract: '1.0.0',
  exposes: {},
});
const page: PageComposition = {
  id: composition.id,
  host: { ...onPage('host', '1.0.0'), previous: null },
  remotes: { 'mfe-chat': { ...onPage('mfe-chat', '1.5.0'), previous: onPage('mfe-chat', '1.4.0') } },
  routes: [],
  avatars: {},
};
const fine: OpenedScreen = {
  path: '/index',
  composition: page,
  heading: '咨询',
  isShut: false,
  scripts: ['http://desk/chatbot/releases/mfe-chat/1.5.0/remoteEntry.js'],
  errors: [],
  events: [],
};

const judge = (...screens: Partial<OpenedScreen>[]) =>
  findProblems(
    {
      composition,
      routes: { '/index': 'mfe-chat/./chat' },
      screens: screens.map((screen) => ({ ...fine, ...screen })),
      screenSeconds: 20,
      allSeconds: 120,
    },
    createSay('cli-compose', 'en'),
  );

test('a screen of the candidate without errors has no findings', () => {
  expect(judge({})).toEqual([]);
});

test.each<[string, Partial<OpenedScreen>, RegExp]>([
  ['shows nothing', { heading: null }, /no screen .* within 20 s/],
  ['cannot be seen', { isHidden: true }, /hides the page/],
  ['is shut', { isShut: true, heading: '咨询暂时打不开' }, /“咨询暂时打不开”/],
  [
    'fell back',
    { scripts: [...fine.scripts, 'http://desk/chatbot/releases/mfe-chat/1.4.0/remoteEntry.js'] },
    /fell back to mfe-chat@1\.4\.0; mfe-chat@1\.5\.0 did not start/,
  ],
  ['loaded nothing of the candidate', { scripts: [] }, /no script of mfe-chat@1\.5\.0 was loaded/],
  ['logged an error', { errors: ['Refused to load'] }, /\/index: Refused to load/],
  [
    'reported a failure',
    {
      events: [
        {
          kind: 'failure',
          remote: 'mfe-chat',
          version: '1.5.0',
          phase: 'render',
          expose: './chat',
          error: 'broken',
        },
      ],
    },
    /\/index: broken/,
  ],
])('a screen that %s is a finding', (_, screen, told) => {
  const [finding, ...others] = judge(screen);
  expect(others).toEqual([]);
  expect(finding).toMatchObject({ rule: 'mount', remote: 'mfe-chat', release: 'mfe-chat@1.5.0' });
  expect(finding?.message).toMatch(told);
  expect(finding?.advice).toContain('override --composition cccccccc');
});

test('if the host does not start in a page, only the host is blamed, even if other screens were not opened', () => {
  const routes = { '/': 'mfe-chat/./chat', '/index': 'mfe-chat/./chat', '/login': 'mfe-auth/./login' };
  const screen = { ...fine, path: '/', isBlank: true, heading: null, scripts: [], errors: ['Error: broken'] };
  const findings = findProblems(
    { composition, routes, screens: [screen], screenSeconds: 20, allSeconds: 120 },
    createSay('cli-compose', 'en'),
  );
  expect(findings.map(({ remote, release }) => [remote, release])).toEqual([
    ['host', 'host@1.0.0'],
    ['host', 'host@1.0.0'],
  ]);
  expect(findings[0]?.message).toBe('/: the host shows nothing, so no other screen was opened');
  expect(findings[1]?.message).toBe('/: Error: broken');
});

test('an error that the browser logs with and without its location is reported once', () => {
  const error = 'Loading the image violates the policy';
  expect(judge({ errors: [error, `${error} (http://desk/a.js)`] })).toHaveLength(1);
  expect(judge({ errors: [`${error} (http://desk/a.js)`, `${error} (http://desk/b.js)`] })).toHaveLength(2);
});

test('an error is attributed to the remote whose script it names', () => {
  const error = 'TypeError: x\n    at f (http://desk/chatbot/releases/host/1.0.0/main.js:1:2)';
  expect(judge({ errors: [error] })).toMatchObject([{ remote: 'host', release: 'host@1.0.0' }]);
});

test('a screen that was not opened in time is a finding', () => {
  expect(judge()[0]?.message).toMatch(/not opened within the 120 s/);
});

test('the same problem on several routes is reported once, with all routes', () => {
  const findings = findProblems(
    {
      composition,
      routes: { '/': 'mfe-chat/./chat', '/index': 'mfe-chat/./chat' },
      screens: [
        { ...fine, path: '/', errors: ['broken'] },
        { ...fine, errors: ['broken'] },
      ],
      screenSeconds: 20,
      allSeconds: 120,
    },
    createSay('cli-compose', 'en'),
  );
  expect(findings.map(({ message }) => message)).toEqual(['/, /index: broken']);
});

test('calls of a page get the responses of an empty server, and unknown calls those of an overloaded one', () => {
  expect(answerCall('POST', '/admin/auth')).toMatchObject({ status: 200, body: { code: 1 } });
  for (const [call, body] of Object.entries(emptyReplies)) {
    const schema = operations[call]?.replies[200] as z.ZodType;
    expect([call, schema.parse(body)]).toEqual([call, body]);
  }
  expect(answerCall('GET', '/api/new-thing')).toMatchObject({ status: 503, body: { error: 'unavailable' } });
});
