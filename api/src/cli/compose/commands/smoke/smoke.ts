import type {
  CheckFinding,
  CheckReport,
  CompositionChoice,
  CompositionInfo,
  OverrideLink,
  OverrideRequest,
  SetComposition,
} from '../../../../contract/compositions.ts';
import type { ReleaseDetails } from '../../../../contract/releases.ts';
import { partsOf, releasesOf } from '../../../../releases/data/changes-between.ts';
import { serverAddress } from '../../../desk-settings.ts';
import { CommandFailure } from '../../../failure.ts';
import type { CommandContext } from '../../context/command-context.ts';
import { type Say, shortId } from '../../context/format.ts';
import { BROWSER_FLAGS, BROWSER_NAMES, findBrowser } from './find-browser.ts';
import { type OpenedScreen, openScreens } from './open-screens.ts';

/** Time limits for one screen and for all screens, in ms. The host itself waits up to 5 s for a remote, twice. */
const SCREEN_MS = 20_000;
const ALL_MS = 180_000;
/** Validity of the candidate's preview, in minutes. */
const OVERRIDE_MINUTES = 10;

/**
 * Opens every screen of the candidate in a headless browser, as a signed-in visitor, and adds the findings to
 * `report`. Stores the composition on the server and nothing else. Throws if there is no browser, instead of
 * reporting success.
 */
export async function smoke(
  context: CommandContext,
  choice: CompositionChoice,
  reason: string,
  report: CheckReport,
): Promise<CheckReport> {
  const { client, say, author } = context;
  const start = Date.now();
  const launch = await findLaunch(context);
  const composition = await keep(context, choice, reason);
  const routes = await readRoutes(composition, context);
  const paths = Object.keys(routes);
  const request = { composition: composition.id, author, minutes: OVERRIDE_MINUTES };
  const { url } = await client.post<OverrideLink>('/ops/override', request satisfies OverrideRequest);
  // The public address may be another host, but has the path at which pages work.
  const link = new URL(new URL(url, client.server).pathname, client.server).href;

  context.progress(say('smokeKept', { id: shortId(composition.id), count: paths.length }));
  const browser = await launch();
  let screens: OpenedScreen[];
  try {
    screens = await openScreens(browser, {
      link,
      server: serverAddress(link) ?? client.server,
      paths,
      screenMs: SCREEN_MS,
      allMs: ALL_MS,
    });
  } finally {
    await browser.close();
  }
  assertCandidate(composition, screens, context);
  const findings = findProblems(
    { composition, routes, screens, screenSeconds: SCREEN_MS / 1000, allSeconds: ALL_MS / 1000 },
    say,
  );
  return {
    ...report,
    composition: composition.id,
    isFine: report.isFine && findings.length === 0,
    findings: [...report.findings, ...findings],
    looked: { ...report.looked, mount: screens.length },
    tookMs: report.tookMs + Date.now() - start,
  };
}

/** Screens by path of all remotes. The host's own screens are part of every page and need no opening. */
async function readRoutes(composition: CompositionInfo, { client }: CommandContext) {
  const details = await Promise.all(
    releasesOf(composition).map((release) =>
      client.get<ReleaseDetails>(`/ops/releases/${encodeURIComponent(release)}`),
    ),
  );
  const all = Object.assign({}, ...details.map(({ routes }) => routes)) as Record<string, string>;
  return Object.fromEntries(Object.entries(all).filter(([, screen]) => !screen.startsWith('host/')));
}

/** An existing composition is used unchanged; any other choice is stored first. */
async function keep({ client, author }: CommandContext, choice: CompositionChoice, reason: string) {
  if ('composition' in choice) return client.get<CompositionInfo>(`/ops/compositions/${choice.composition}`);
  return client.post<CompositionInfo>('/ops/compositions', {
    ...choice,
    author,
    reason,
  } satisfies SetComposition);
}

/** Checks that a browser is available before anything is stored on the server. */
async function findLaunch({ env, say }: CommandContext) {
  const playwright = await import('playwright').catch(() => undefined);
  if (!playwright) throw new CommandFailure(2, say('smokeNoPlaywright'));
  const { chromium } = playwright;
  const executablePath = findBrowser(env, chromium.executablePath());
  if (!executablePath)
    throw new CommandFailure(2, say('smokeNoBrowser', { names: BROWSER_NAMES.join(', ') }));
  return () =>
    chromium.launch({ executablePath, args: BROWSER_FLAGS, timeout: SCREEN_MS }).catch((cause: Error) => {
      const why = cause.message.split('\n', 1)[0] ?? '';
      throw new CommandFailure(2, say('smokeNotLaunched', { path: executablePath, why }));
    });
}

/** Throws if the page shows another composition: it would say nothing about the candidate. */
function assertCandidate({ id }: CompositionInfo, screens: readonly OpenedScreen[], { say }: CommandContext) {
  const other = screens.find(({ composition }) => composition && composition.id !== id)?.composition;
  if (other)
    throw new CommandFailure(3, say('smokeOther', { id: shortId(id), got: shortId(other.id) || '—' }));
}

export interface Judged {
  composition: CompositionInfo;
  /** Keyed by path: 'mfe-chat/./chat'. */
  routes: Record<string, string>;
  screens: readonly OpenedScreen[];
  /** Time limits for each screen and for all screens, in s. */
  screenSeconds: number;
  allSeconds: number;
}

/** Findings from opening the candidate's screens; the same one on several routes is reported once. */
export function findProblems({ screens, ...judged }: Judged, say: Say): CheckFinding[] {
  const { composition, routes, allSeconds } = judged;
  // A page without the host says nothing about remotes, and the remaining screens were not opened.
  const blank = screens.filter(({ isBlank }) => isBlank);
  const seen = Object.entries(routes).filter(
    ([path]) => blank.length === 0 || screens.some((one) => one.path === path),
  );
  const troubles = seen.flatMap(([path, id]) => {
    const screen = screens.find((one) => one.path === path);
    const remote = id.slice(0, id.indexOf('/'));
    if (screen?.isBlank) return problemsOf(screen, 'host', judged, say);
    if (!screen) return [{ remote, path, problem: say('smokeOverall', { seconds: allSeconds }) }];
    return problemsOf(screen, remote, judged, say);
  });
  const groups = Map.groupBy(troubles, ({ remote, problem }) => `${remote} ${problem}`);
  return [...groups.values()].map((group) => {
    const { remote, problem } = group[0]!;
    const paths = [...new Set(group.map(({ path }) => path))];
    return {
      rule: 'mount',
      remote,
      release: releaseOf(remote, composition),
      message: say('smokeAt', { paths: paths.join(', '), problem }),
      advice: say('smokeAdvice', { id: shortId(composition.id), path: `/chatbot${paths[0]}` }),
    };
  });
}

/** The problems of a screen, each with the responsible part ('mfe-chat', or 'host') and a sentence without the path. */
function problemsOf(
  screen: OpenedScreen,
  remote: string,
  { composition, screenSeconds }: Omit<Judged, 'screens'>,
  say: Say,
) {
  const { path, errors, events } = screen;
  const failures = events.flatMap((event) =>
    event.kind === 'failure' || event.kind === 'error'
      ? [{ remote: event.remote, path, problem: shorten(event.error) }]
      : [],
  );
  const logged = errors.filter(isOnlyReport).map((error) => ({
    remote: partsOf(composition).find(({ base }) => error.includes(base))?.name ?? remote,
    path,
    problem: shorten(error),
  }));
  const shown = missing(screen, remote, { composition, screenSeconds }, say);
  return [...(shown === undefined ? [] : [{ remote, path, problem: shown }]), ...failures, ...logged];
}

/** Whether it is not reported again with its location: browsers log violations of the page's policy both ways. */
function isOnlyReport(error: string, at: number, errors: readonly string[]): boolean {
  return !errors.some((other, index) => index !== at && other.startsWith(`${error} (`));
}

/** Why the candidate's screen does not count as shown; undefined if it does. */
function missing(
  { isBlank, heading, isHidden, isShut, scripts, composition: page }: OpenedScreen,
  remote: string,
  { composition, screenSeconds }: Pick<Judged, 'composition' | 'screenSeconds'>,
  say: Say,
): string | undefined {
  if (isBlank) return say('smokeBlank');
  if (heading === null) return say('smokeTooLong', { seconds: screenSeconds });
  if (isHidden) return say('smokeHidden');
  if (isShut) return say('smokeShut', { heading });
  const releases = page?.remotes[remote];
  // The host's own screens are part of the host.
  if (!releases) return undefined;
  const cameFrom = (entry: string) => scripts.some((script) => script.endsWith(entry));
  const release = releaseOf(remote, composition);
  const { previous } = releases;
  if (previous && previous.entry !== releases.entry && cameFrom(previous.entry))
    return say('smokeFellBack', { previous: `${remote}@${previous.version}`, release });
  return cameFrom(releases.entry) ? undefined : say('smokeNotLoaded', { release });
}

function releaseOf(name: string, composition: CompositionInfo): string {
  return partsOf(composition).find((part) => part.name === name)?.release ?? name;
}

/** The error message and the first line of its stack. */
function shorten(error: string): string {
  const [words = '', first = ''] = error.split('\n');
  const problem = first ? `${words} (${first.trim()})` : words;
  return problem.length > 400 ? `${problem.slice(0, 399)}…` : problem;
}
