import { afterEach, beforeAll, expect, test } from '@jest/globals';
import { render, screen, waitFor, within } from '@testing-library/react';
import type { RouteDeclaration } from 'api/contract/releases';
import { MemoryRouter } from 'react-router';
import type { HostServices, Language, Screen } from '../contract.ts';
import { type Answer, type Answers, createStandInServices } from './stand-in-services.ts';
import { type Leftovers, type LeftoverWatch, watchLeftovers } from './watch-leftovers.ts';
import { type ServiceName, watchServices } from './watch-services.ts';

interface RemoteUnderTest {
  /** The text of the remote's rspack.config.js: what is exposed is read from there. */
  config: string;
  /** The routes of its desk.json. */
  routes: readonly Pick<RouteDeclaration, 'path' | 'module'>[];
  /** The default export of every exposed module, by its name. */
  screens: Record<string, Screen>;
  /** What it uses of the host's services, at most. */
  needs: readonly ServiceName[];
  /** A server that answers what the screens ask as they open. */
  answers: Answers | Answer;
  /** Addresses beside a screen's own place, where it shows more and so may need more, and a text that says that it is there. */
  alsoAt?: readonly { module: string; path: string; shows: RegExp }[];
  /** What has to be there before a screen is mounted: chunks that come by `import()`, sizes that jsdom does not know. */
  prepare?(): void | Promise<void>;
}

const LANGUAGES: readonly Language[] = ['zh', 'en'];
/** Time for delays that a screen has begun, in ms. */
const SETTLE_MS = 5_000;
/** A screen is mounted so often over the same services, as it is in a page. */
const MOUNTS = 4;
/** What the watch does not see. */
const ownSetTimeout = setTimeout;
const HAN = /\p{Script=Han}/u;

/**
 * The tests of a remote's side of the contract, the same for all: its build exposes these screens, and every screen mounts in both
 * languages over services that grant no more than `needs`, and leaves nothing behind.
 */
export function testRemoteContract(remote: RemoteUnderTest): void {
  const { config, routes, screens, needs, answers } = remote;
  const exposed = Object.keys(screens).sort();
  const usedByAll = new Set<ServiceName>();

  beforeAll(async () => {
    // React's first root, the first selector and the first computed style listen to the document for good.
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

  test('its routes show modules that it exposes', () => {
    expect(exposed).toEqual(expect.arrayContaining(routes.map(({ module }) => module)));
  });

  const mount = async (module: string, language: Language, path: string, assertThere: () => void) => {
    const Shown = screens[module]!;
    const standIns = createStandInServices({ answers, language, username: 'anna', token: 'token' });
    const { services, used, refused } = watchServices(standIns.services, needs);
    watch = watchLeftovers(window, streamsOf(standIns.services));
    for (let time = 0; time < MOUNTS; time++) {
      const { container, unmount } = render(
        <MemoryRouter initialEntries={[path]}>
          <Shown services={services} language={language} controls={<button type="button">controls</button>} />
        </MemoryRouter>,
      );
      // Half of them are left before anything that they have asked for is there.
      if (time % 2 === 1) await waitFor(assertThere);
      unmount();
      // Of the test itself.
      container.remove();
    }

    expect(refused).toEqual([]);
    expect(standIns.isHeld$.value).toBe(false);
    expect(repeated(await settled(watch))).toEqual([]);
    for (const { url } of standIns.calls) expect(url).toMatch(/^\/(api|admin)\//);
    for (const service of used) usedByAll.add(service);
  };

  for (const module of exposed)
    for (const language of LANGUAGES)
      test(`${module} mounts in ${language} over no more than it needs, and goes without a trace`, () =>
        mount(module, language, pathOf(module, routes), () => {
          const main = screen.getByRole('main');
          expect(main).toHaveAttribute('id', 'main');
          expect(HAN.test(within(main).getByRole('heading', { level: 1 }).textContent)).toBe(
            language === 'zh',
          );
          expect(within(main).getByRole('button', { name: 'controls' })).toBeVisible();
        }));

  for (const { module, path, shows } of remote.alsoAt ?? [])
    test(`${module} at ${path} needs no more either`, () =>
      mount(module, 'zh', path, () => expect(screen.getAllByText(shows).length).toBeGreaterThan(0)));

  test('it needs all that it says', () => {
    expect([...usedByAll].sort()).toEqual([...needs].sort());
  });
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

/** What is left once delays that had begun are over: a timeout may outlast its screen, an interval may not. */
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

/** What every mount leaves. What is there once is for the life of the page, as a queue of uploads is. */
function repeated(leftovers: Leftovers): string[] {
  const names = Object.entries<string[]>({ ...leftovers }).flatMap(([kind, all]) =>
    all.map((name) => `${kind}: ${name}`),
  );
  return [...new Set(names.filter((name, index) => names.indexOf(name) < index))];
}

/** The names in `exposes: { './chat': './src/chat.tsx' }`. */
function exposedBy(config: string): string[] {
  const [, table = ''] = /exposes:\s*\{([^}]*)\}/.exec(config) ?? [];
  return [...table.matchAll(/'(\.\/[\w-]+)':/g)].map(([, module = '']) => module).sort();
}
