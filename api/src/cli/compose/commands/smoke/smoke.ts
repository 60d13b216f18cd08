import type {
  CheckReport,
  CompositionChoice,
  CompositionInfo,
  OverrideLink,
  OverrideRequest,
  SetComposition,
} from '../../../../contract/compositions.ts';
import type { ReleaseDetails } from '../../../../contract/releases.ts';
import { releasesOf } from '../../../../releases/data/changes-between.ts';
import { serverAddress } from '../../../desk-requests.ts';
import { CommandFailure } from '../../../failure.ts';
import type { CommandContext } from '../../context/command-context.ts';
import { shortId } from '../../context/format.ts';
import { BROWSER_FLAGS, BROWSER_NAMES, findBrowser } from './find-browser.ts';
import { findProblems } from './judge-screens.ts';
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
    {
      composition,
      routes,
      screens,
      screenSeconds: SCREEN_MS / 1000,
      allSeconds: ALL_MS / 1000,
    },
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
