import { afterEach, beforeAll, expect, test } from '@jest/globals';
import { render, screen, waitFor, within } from '@testing-library/react';
import type { RouteDeclaration } from 'api/contract/releases';
import { MemoryRouter } from 'react-router';
import type { HostServices, Language, Screen } from '../contract.ts';
import { type Answer, type Answers, type Call, createStandInServices } from './stand-in-services.ts';
import { type Leftovers, type LeftoverWatch, watchLeftovers } from './watch-leftovers.ts';
import { type ServiceName, watchServices } from './watch-services.ts';

interface RemoteUnderTest {
  /** Text of the remote's rspack.config.js, from which the exposed modules are read. */
  config: string;
  /** The routes of its desk.json. */
  routes: readonly Pick<RouteDeclaration, 'path' | 'module'>[];
  /** The default exports of all exposed modules, by name. */
  screens: Record<string, Screen>;
  /** The host services that it may use. */
  needs: readonly ServiceName[];
  /** A server for the requests of opening screens. */
  answers: Answers | Answer;
  /** Further addresses at which a screen shows more, and may need more services, with a text to wait for. */
  alsoAt?: readonly { module: string; path: string; shows: RegExp }[];
  /** Prepares mounting: chunks loaded by `import()`, sizes that jsdom does not know. */
  prepare?(): void | Promise<void>;
}

const LANGUAGES: readonly Language[] = ['zh', 'en'];
/** Time limit for timers that a screen has started, in ms. */
const SETTLE_MS = 5_000;
/** How often a screen is mounted with the same services, as in a page. */
const MOUNTS = 4;
/** The original function, whose timers are not watched. */
const ownSetTimeout = setTimeout;
const HAN = /\p{Script=Han}/u;

/**
 * The contract tests for remotes: its build exposes these screens, and every screen mounts in both languages with only the services in
 * `needs` and leaves nothing behind, including requests whose answers nothing shows any more.
 */
export function testRemoteContract(remote: RemoteUnderTest): void {
  const { config, routes, screens, needs, answers } = remote;
  const exposed = Object.keys(screens).sort();
  const usedByAll = new Set<ServiceName>();

  beforeAll(async () => {
    // React's first root, the first selector and the first computed style add permanent listeners to the document.
    const { container, unmount } = render(<p />);
    getComputedStyle(container.querySelector('p')!);
    unmount();
    await remote.prepare?.();
  });

  let watch: LeftoverWatch | undefined;
  afterEach(() => watch?.stop());

  test('its build exposes these screens', () => {
    expect(exposedBy(config)).toEqual(exposed);
  });

  test('its routes refer to modules that it exposes', () => {
    expect(exposed).toEqual(expect.arrayContaining(routes.map(({ module }) => module)));
  });

  const show = (module: string, path: string, language: Language, services: HostServices) => {
    const Shown = screens[module]!;
    return render(
      <MemoryRouter initialEntries={[path]}>
        <Shown services={services} language={language} controls={<button type="button">controls</button>} />
      </MemoryRouter>,
    );
  };

  /** Leaves the screen while each of these requests is unanswered, and returns those that are still running afterwards. */
  const runningAfter = async (module: string, path: string, requests: Set<string>) => {
    const running: string[] = [];
    for (const held of requests) {
      const standIns = createStandInServices({
        answers: (call) => (nameOf(call) === held ? new Promise(() => undefined) : answerOf(answers, call)),
        username: 'anna',
        token: 'token',
      });
      const { container, unmount } = show(module, path, 'zh', standIns.services);
      const unanswered = () => standIns.calls.filter((call) => nameOf(call) === held);
      await waitFor(() => expect(unanswered()).not.toEqual([]));
      unmount();
      container.remove();
      if (!unanswered().every(({ signal }) => signal?.aborted)) running.push(held);
    }
    return running;
  };

  const mount = async (module: string, language: Language, path: string, assertThere: () => void) => {
    const standIns = createStandInServices({ answers, language, username: 'anna', token: 'token' });
    const { services, used, refused } = watchServices(standIns.services, needs);
    watch = watchLeftovers(window, streamsOf(standIns.services));
    for (let time = 0; time < MOUNTS; time++) {
      const { container, unmount } = show(module, path, language, services);
      // Every second mount ends before its requests are answered.
      if (time % 2 === 1) await waitFor(assertThere);
      unmount();
      // The test itself has added this element.
      container.remove();
    }

    expect(refused).toEqual([]);
    expect(standIns.isHeld$.value).toBe(false);
    expect(repeated(await settled(watch))).toEqual([]);
    for (const { url } of standIns.calls) expect(url).toMatch(/^\/(api|admin)\//);
    for (const service of used) usedByAll.add(service);
    if (language === 'zh')
      expect(await runningAfter(module, path, new Set(standIns.calls.map(nameOf)))).toEqual([]);
  };

  for (const module of exposed)
    for (const language of LANGUAGES)
      test(`${module} mounts in ${language} with only the services it needs, and leaves nothing behind`, () =>
        mount(module, language, pathOf(module, routes), () => {
          const main = screen.getByRole('main');
          expect(main).toHaveAttribute('id', 'main');
          expect(HAN.test(within(main).getByRole('heading', { level: 1 }).textContent)).toBe(
            language === 'zh',
          );
          expect(within(main).getByRole('button', { name: 'controls' })).toBeVisible();
        }));

  for (const { module, path, shows } of remote.alsoAt ?? [])
    test(`${module} at ${path} needs no other services`, () =>
      mount(module, 'zh', path, () => expect(screen.getAllByText(shows).length).toBeGreaterThan(0)));

  test('it uses every service it needs', () => {
    expect([...usedByAll].sort()).toEqual([...needs].sort());
  });
}

function nameOf({ method, url }: Call): string {
  return `${method} ${url}`;
}

function answerOf(answers: Answers | Answer, call: Call): unknown {
  return typeof answers === 'function' ? answers(call) : answers[nameOf(call)]?.(call);
}

function pathOf(module: string, routes: RemoteUnderTest['routes']): string {
  return routes.find((route) => route.module === module)?.path ?? '/';
}

function streamsOf({ token$, session, i18n, theme, storage }: HostServices) {
  return {
    token$,
    'session.username$': session.username$,
    'i18n.language$': i18n.language$,
    'theme.choice$': theme.choice$,
    'storage.owner$': storage.owner$,
  };
}

/** What is left after pending timeouts have run: a timeout may end after its screen, an interval may not. */
async function settled(watch: LeftoverWatch): Promise<Leftovers> {
  const isWaiting = () => watch.leftovers().timers.some((timer) => !timer.startsWith('setInterval'));
  const deadline = performance.now() + SETTLE_MS;
  do
    await new Promise((resolve) => {
      ownSetTimeout(resolve, 10);
    });
  while (isWaiting() && performance.now() < deadline);
  return watch.leftovers();
}

/** What every mount leaves behind. What is left only once, such as an upload queue, may exist as long as the page. */
function repeated(leftovers: Leftovers): string[] {
  const names = Object.entries<string[]>({ ...leftovers }).flatMap(([kind, all]) =>
    all.map((name) => `${kind}: ${name}`),
  );
  return [...new Set(names.filter((name, index) => names.indexOf(name) < index))];
}

/** The module names in `exposes: { './chat': './src/chat.tsx' }`. */
function exposedBy(config: string): string[] {
  const [, table = ''] = /exposes:\s*\{([^}]*)\}/.exec(config) ?? [];
  return [...table.matchAll(/'(\.\/[\w-]+)':/g)].map(([, module = '']) => module).sort();
}
