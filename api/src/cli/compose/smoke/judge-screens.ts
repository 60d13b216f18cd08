import type { CheckFinding, CompositionInfo, PageRemote } from '../../../contract.ts';
import { partsOf, shortId } from '../told.ts';
import type { Say } from '../words.ts';
import type { OpenedScreen } from './open-screens.ts';

export interface Judged {
  composition: CompositionInfo;
  /** By path: 'mfe-chat/./chat'. */
  routes: Record<string, string>;
  screens: readonly OpenedScreen[];
  /** Bounds that the screens had, in s. */
  screenSeconds: number;
  allSeconds: number;
}

/** What keeps a candidate from going live of what was seen when its screens were opened. Equal findings of one release are told once. */
export function judgeScreens({ screens, ...judged }: Judged, say: Say): CheckFinding[] {
  const byPath = new Map(screens.map((screen) => [screen.path, screen]));
  const findings = Object.keys(judged.routes).flatMap((path) => {
    const screen = byPath.get(path);
    const remote = remoteOf(judged.routes[path]!);
    const make = findingMaker(judged.composition, path, say);
    if (!screen) return [make(remote, say('smokeOverall', { path, seconds: judged.allSeconds }))];
    return judgeScreen(screen, remote, judged, make, say);
  });
  return findings.filter(
    ({ message }, index) => findings.findIndex((other) => other.message === message) === index,
  );
}

type MakeFinding = (remote: string, message: string) => CheckFinding;

function judgeScreen(
  screen: OpenedScreen,
  remote: string,
  { composition, screenSeconds }: Omit<Judged, 'screens'>,
  make: MakeFinding,
  say: Say,
): CheckFinding[] {
  const { path, heading, isShut, scripts, errors, events } = screen;
  const failures = events.flatMap((event) =>
    event.kind === 'failure' || event.kind === 'error' ? [event] : [],
  );
  const told = [
    ...failures.map((event) => make(event.remote, say('smokeError', { path, error: event.error }))),
    ...errors.map((error) =>
      make(ownerOf(error, composition) ?? remote, say('smokeError', { path, error: shorten(error) })),
    ),
  ];
  const page: PageRemote | undefined = screen.composition?.remotes[remote];
  const cameFrom = (entry: string | undefined) =>
    entry !== undefined && scripts.some((script) => script.includes(folderOf(entry)));
  const release = releaseOf(remote, composition);
  if (heading === null) return [make(remote, say('smokeTooLong', { path, seconds: screenSeconds })), ...told];
  if (isShut) return [make(remote, say('smokeShut', { path, heading })), ...told];
  if (page && cameFrom(page.previous?.entry)) {
    const previous = `${remote}@${page.previous?.version}`;
    return [make(remote, say('smokeFellBack', { path, previous, release })), ...told];
  }
  if (page && !cameFrom(page.entry)) return [make(remote, say('smokeNotLoaded', { path, release })), ...told];
  return told;
}

function findingMaker(composition: CompositionInfo, path: string, say: Say): MakeFinding {
  return (remote, message) => ({
    rule: 'mount',
    remote,
    release: releaseOf(remote, composition),
    message,
    advice: say('smokeAdvice', { id: shortId(composition.id), path: `/chatbot${path}` }),
  });
}

function remoteOf(screen: string): string {
  return screen.slice(0, screen.indexOf('/'));
}

function releaseOf(name: string, composition: CompositionInfo): string {
  return partsOf(composition).find((part) => part.name === name)?.release ?? name;
}

/** Whose script an error names. */
function ownerOf(error: string, composition: CompositionInfo): string | undefined {
  return partsOf(composition).find(({ base }) => error.includes(base))?.name;
}

function folderOf(entry: string): string {
  return entry.slice(0, entry.lastIndexOf('/') + 1);
}

/** An error's words and the first line of its stack. */
function shorten(error: string): string {
  const [words = '', first = ''] = error.split('\n');
  const told = first ? `${words} (${first.trim()})` : words;
  return told.length > 400 ? `${told.slice(0, 399)}…` : told;
}
