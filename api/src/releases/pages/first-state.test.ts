import { expect, test } from '@jest/globals';
import type { Release, Route } from '../data/release.ts';
import type { ResolvedComposition } from '../live/live-composition.ts';
import { menuPlaces, readFirstState } from './first-state.ts';
import type { ReleaseReader } from './release-files.ts';

const FILES: Record<string, string> = {
  'host/navigation.html':
    '<nav><ul>{{menu}}</ul></nav><div>{{screen}}</div><!--entry--><li><a aria-current="page" href="/chatbot/{{path}}"><use href="#i-{{icon}}"></use>{{title}}</a></li><!--controls--><b>controls</b><!--loading--><main>{{controls}}loading</main>',
  'host/main.css': 'body{background:url(dot.svg)}',
  'chat/index.html': '<main><img src="{{base}}bot.svg">{{controls}}<p data-desk="greeting">hint</p></main>',
  'chat/addressed.html': '<main>addressed {{controls}}</main>',
  'chat/chat.css': '.chat{color:red}',
};

const file = (path: string) => ({ path, size: 1, integrity: '', type: '', mark: '' });
const releaseOf = (name: string, more: Partial<Release>) =>
  ({
    name,
    base: `/chatbot/releases/${name}/1/`,
    entryFiles: { js: [], css: [] },
    exposes: [],
    ...more,
  }) as Release;
const host = releaseOf('host', {
  entryFiles: { js: [], css: ['main.css'] },
  files: [file('navigation.html'), file('main.css')],
  firstStates: [{ path: 'navigation', language: 'zh', file: 'navigation.html' }],
});
const chat = releaseOf('chat', {
  exposes: [{ name: './chat', js: [], css: ['chat.css'] }],
  files: [file('index.html'), file('addressed.html'), file('chat.css')],
  firstStates: [
    { path: '/index', language: 'zh', file: 'index.html' },
    { path: '/index?c', language: 'zh', file: 'addressed.html' },
  ],
});
const routeOf = (path: string, order: number, more: Partial<Route> = {}): Route => ({
  path,
  remote: 'chat',
  module: './chat',
  guard: 'public',
  title: { zh: `<${path}>`, en: path },
  menu: { icon: 'chat', order },
  ...more,
});
const routes = [routeOf('/other', 2), routeOf('/index', 1), routeOf('/inbox', 3, { guard: 'session' })];
routes[2]!.menu!.audience = 'session';

function stateOf(
  given: {
    parameters?: string[];
    route?: Route;
    more?: Route[];
    remote?: Release;
    damaged?: string;
    desk?: object;
    menuEntries?: number;
  } = {},
) {
  const {
    parameters = [],
    route = routes[1]!,
    more = [],
    remote = chat,
    damaged,
    desk,
    menuEntries = 0,
  } = given;
  const composition: ResolvedComposition = {
    id: 'c',
    host: { live: host, previous: null },
    remotes: [{ live: remote, previous: null }],
  };
  const read: ReleaseReader['read'] = async ({ name }, { path }) =>
    path === damaged ? undefined : { bytes: Buffer.from(FILES[`${name}/${path}`]!), encoding: 'identity' };
  return readFirstState(
    composition,
    { routes: [...routes, ...more], route, language: 'zh', parameters, menuEntries, desk: desk as never },
    { read },
  );
}

test('combines frame, menu of guests, screen, controls and style sheets', async () => {
  const state = await stateOf();
  expect(state?.html).toBe(
    '<nav><ul><li><a aria-current="page" href="/chatbot/index"><use href="#i-chat"></use>&lt;/index></a></li>' +
      '<li><a href="/chatbot/other"><use href="#i-chat"></use>&lt;/other></a></li></ul></nav>' +
      '<div><main><img src="/chatbot/releases/chat/1/bot.svg"><b>controls</b><p data-desk="greeting">hint</p></main></div>',
  );
  expect(state?.styles).toEqual({
    host: 'body{background:url(/chatbot/releases/host/1/dot.svg)}',
    screen: '.chat{color:red}',
  });
});

test('reserves places in the menu for as many entries as the visitor may see', async () => {
  const place = '<li aria-hidden="true"></li>';
  expect((await stateOf({ menuEntries: 3 }))?.html).toContain(`</li>${place}</ul>`);
  expect([-1, 0, 2, 3, 99].map((last) => menuPlaces(routes, last))).toEqual([2, 2, 2, 3, 3]);
});

test('works without scripts if the screen has a form', async () => {
  expect((await stateOf())?.hasForm).toBe(false);
  FILES['chat/addressed.html'] += '<form></form>';
  expect((await stateOf({ parameters: ['c'] }))?.hasForm).toBe(true);
});

test('names an entry in another language if its release has no title in this one', async () => {
  const late = routeOf('/late', 4, { title: { en: 'Late' } as never });
  expect((await stateOf({ more: [late] }))?.html).toContain('</use>Late</a>');
});

test('depends on a parameter of the address where the release says so', async () => {
  expect((await stateOf({ parameters: ['utm', 'c'] }))?.html).toContain('addressed');
  expect((await stateOf({ parameters: ['utm'] }))?.html).toContain('hint');
});

test('has the texts that administrators have set, as text', async () => {
  const { html } = (await stateOf({ desk: { zh: { greeting: '<script>$&' } } }))!;
  expect(html).toContain('<p data-desk="greeting">&lt;script>$&amp;</p>');
});

test('shows a skeleton for a release without first states, one of another origin and damaged files', async () => {
  const { firstStates: _, ...without } = chat;
  for (const more of [
    { remote: without as Release },
    { remote: { ...chat, base: 'https://team.example/' } },
    { damaged: 'index.html' },
    { damaged: 'chat.css' },
  ]) {
    const state = await stateOf(more);
    expect(state?.html).toContain('<main><b>controls</b>loading</main>');
    expect(state?.styles.screen).toBe('');
  }
});

test('guarded routes and a host whose files are damaged have none', async () => {
  expect(await stateOf({ route: routes[2]! })).toBeUndefined();
  expect(await stateOf({ damaged: 'main.css' })).toBeUndefined();
  expect(await stateOf({ damaged: 'navigation.html' })).toBeUndefined();
});
