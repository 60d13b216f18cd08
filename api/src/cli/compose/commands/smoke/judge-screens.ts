import type { CheckFinding, CompositionInfo } from '../../../../contract/compositions.ts';
import { partsOf } from '../../../../releases/data/changes-between.ts';
import type { Say } from '../../../say.ts';
import { shortId } from '../../context/format.ts';
import type { OpenedScreen } from './open-screens.ts';

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
