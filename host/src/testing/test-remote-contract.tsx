import { beforeAll, expect, test } from '@jest/globals';
import { render, screen, waitFor, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import type { HostServices, Language, Screen } from '../contract.ts';
import screensByPath from '../routes.json' with { type: 'json' };
import { type Answer, type Answers, createStandInServices } from './stand-in-services.ts';
import { type ServiceName, watchServices } from './watch-services.ts';

interface RemoteUnderTest {
  name: string;
  /** The text of the remote's rspack.config.js: what is exposed is read from there. */
  config: string;
  /** The text of its README.md, whose tables say what it exposes and needs. */
  readme: string;
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
const HAN = /\p{Script=Han}/u;

/**
 * The tests of a remote's side of the contract, the same for all: its build exposes these screens, its README says so, every screen
 * mounts in both languages over services that grant no more than `needs`, and leaves nothing behind.
 */
export function testRemoteContract(remote: RemoteUnderTest): void {
  const { name, config, readme, screens, needs, answers } = remote;
  const exposed = Object.keys(screens).sort();
  const usedByAll = new Set<ServiceName>();

  beforeAll(() => remote.prepare?.());

  test('its build exposes these screens', () => {
    expect(exposedBy(config)).toEqual(exposed);
  });

  test('it has every screen that the host’s table of addresses names of it', () => {
    const named = Object.values(screensByPath)
      .filter((id) => id.startsWith(`${name}/`))
      .map((id) => id.slice(name.length + 1));
    expect(exposed).toEqual(expect.arrayContaining(named));
  });

  test('its README says what it exposes and needs', () => {
    expect(firstColumn(readme, 'exposes')).toEqual(exposed);
    expect(firstColumn(readme, 'needs')).toEqual([...needs].sort());
  });

  const mount = async (module: string, language: Language, path: string, assertThere: () => void) => {
    const Shown = screens[module]!;
    const standIns = createStandInServices({ answers, language, username: 'anna', token: 'token' });
    const { services, used, refused } = watchServices(standIns.services, needs);
    const streams = streamsOf(standIns.services);
    const before = streams.map(followers);
    const { container, unmount } = render(
      <MemoryRouter initialEntries={[path]}>
        <Shown services={services} language={language} controls={<button type="button">controls</button>} />
      </MemoryRouter>,
    );
    await waitFor(assertThere);
    unmount();

    expect(refused).toEqual([]);
    expect(container).toBeEmptyDOMElement();
    expect(streams.map(followers)).toEqual(before);
    for (const { url } of standIns.calls) expect(url).toMatch(/^\/(api|admin)\//);
    for (const service of used) usedByAll.add(service);
  };

  for (const module of exposed)
    for (const language of LANGUAGES)
      test(`${module} mounts in ${language} over no more than it needs, and goes without a trace`, () =>
        mount(module, language, placeOf(`${name}/${module}`), () => {
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

function placeOf(id: string): string {
  return Object.entries(screensByPath).find(([, screen]) => screen === id)?.[0] ?? '/';
}

function streamsOf({ token$, session, i18n, theme, storage }: HostServices): unknown[] {
  return [token$, session.username$, i18n.language$, theme.choice$, storage.owner$];
}

/** How many follow a subject; 0 for a stream that is none. */
function followers(stream: unknown): number {
  return (stream as { observers?: unknown[] }).observers?.length ?? 0;
}

/** The names in `exposes: { './chat': './src/chat.tsx' }`. */
function exposedBy(config: string): string[] {
  const [, table = ''] = /exposes:\s*\{([^}]*)\}/.exec(config) ?? [];
  return [...table.matchAll(/'(\.\/[\w-]+)':/g)].map(([, module = '']) => module).sort();
}

/** What stands in backquotes in the first column of the Markdown table whose first heading is `heading`. */
function firstColumn(markdown: string, heading: string): string[] {
  const lines = markdown.split('\n');
  const start = lines.findIndex((line) => new RegExp(`^\\|\\s*${heading}\\s*\\|`).test(line));
  const rows = lines.slice(start + 2);
  const end = rows.findIndex((line) => !line.startsWith('|'));
  return rows
    .slice(0, end < 0 ? undefined : end)
    .flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, text = '']) => text))
    .sort();
}
