import { editDistance } from '../../../config/environment.ts';
import type {
  CompositionChoice,
  CompositionInfo,
  MoveInfo,
  PointerInfo,
} from '../../../contract/compositions.ts';
import type { ReleaseSummary } from '../../../contract/releases.ts';
import { partsOf } from '../../../releases/data/changes-between.ts';
import { CommandFailure, type FailureCode, type Refused } from '../../failure.ts';
import { type CommandContext, nameOf } from '../context/command-context.ts';
import { ago, formatChanges, shortId } from '../context/format.ts';
import { formatFindings } from './check.ts';
import { alignColumns, indent } from './table.ts';

/** The request that failed. */
export interface About {
  /** The releases or the composition that were named. */
  choice: CompositionChoice | undefined;
  tokenFrom: string;
  /** Where to look if something named does not exist. Default: the list of compositions. */
  seeAlso: 'seeTokens' | 'seeChanges' | undefined;
}

const CODES: Record<string, FailureCode> = {
  check_failed: 1,
  conflict: 1,
  version_taken: 1,
  invalid_request: 2,
  not_found: 2,
  too_large: 2,
};

/** Turns the server's refusal into a message for operators: the problem and its solution. */
export async function explain(refused: Refused, about: About, context: CommandContext) {
  const { body } = refused;
  const message = await explainRefused(refused, about, context).catch(() => body.msg);
  return new CommandFailure(CODES[body.error] ?? 3, message, body);
}

async function explainRefused(refused: Refused, about: About, context: CommandContext): Promise<string> {
  const { body, status } = refused;
  const { say, client } = context;
  if (body.findings) return `${body.msg}\n\n${formatFindings(body.findings, say)}`;
  if (body.error === 'conflict' && body.field === 'revision')
    return `${body.msg}\n${await formatWhoMoved(context)}`;
  if (body.error === 'conflict' && body.field === 'promotedFrom')
    return `${body.msg}\n${say('seeEnvironments')}`;
  if (about.seeAlso && (body.error === 'conflict' || body.error === 'not_found'))
    return `${body.msg}\n${say(about.seeAlso)}`;
  if (body.error === 'conflict') {
    const isOfComposition = about.choice === undefined || 'composition' in about.choice;
    return `${body.msg}\n${say(isOfComposition ? 'seeList' : 'seeShow')}`;
  }
  if (body.error === 'not_found' && about.choice) return await formatMissing(body.msg, about.choice, context);
  if (body.error === 'not_found') return `${body.msg}\n${say('seeList')}`;
  // Calls that visitors may also make treat a wrong token as an expired session.
  if (status === 401) return say('tokenWrong', { from: about.tokenFrom, server: client.server });
  if (status === 403) return `${body.msg}\n${say('tokenForbidden', { from: about.tokenFrom })}`;
  if (body.error === 'invalid_request') return body.field ? `${body.msg} (${body.field})` : body.msg;
  return say('serverSays', { server: client.server, status, msg: body.msg, id: body.requestId });
}

async function formatWhoMoved({ client, say, now }: CommandContext): Promise<string> {
  const { moves } = await client.get<{ moves: MoveInfo[] }>('/ops/history', { limit: 1 });
  const [last] = moves;
  if (!last) return say('goOnAfterConflict');
  const moved = say('movedBy', {
    author: last.author,
    when: ago(last.at, now, say),
    what: say(last.kind),
    changes: formatChanges(last.changes, say),
    id: shortId(last.composition),
    revision: last.revision,
  });
  return `${moved}\n${say('goOnAfterConflict')}`;
}

async function formatMissing(msg: string, choice: CompositionChoice, context: CommandContext) {
  if ('composition' in choice) return formatMissingComposition(msg, choice.composition, context);
  const { releases = [] } = choice;
  const message = await Promise.all(releases.map((release) => formatMissingRelease(release, context)));
  const known = message.filter((text) => text !== '');
  return known.length === 0 ? `${msg}\n${context.say('seeReleases')}` : known.join('\n');
}

async function formatMissingComposition(msg: string, id: string, { client, say }: CommandContext) {
  const { compositions } = await client.get<{ compositions: CompositionInfo[] }>('/ops/compositions', {
    limit: 100,
  });
  const alike = nearest(
    id.slice(0, 8),
    compositions.map((composition) => shortId(composition.id)),
  );
  const hint = alike.length > 0 ? say('didYouMean', { names: alike.join(', ') }) : say('seeList');
  return `${msg.includes(id) ? msg : `${msg}: ${id}`}\n${hint}`;
}

/** '' if the release exists. */
async function formatMissingRelease(release: string, { client, say, now }: CommandContext): Promise<string> {
  const name = nameOf(release);
  const { releases } = await client.get<{ releases: ReleaseSummary[] }>('/ops/releases', {
    name,
    limit: 100,
  });
  if (releases.some(({ id }) => id === release)) return '';
  if (releases.length > 0) {
    const newest = releases
      .slice(0, 5)
      .map(({ id, publishedAt, isLive }) => [id, ago(publishedAt, now, say), isLive ? say('live') : '']);
    return `${say('noSuchVersion', { release, name })}\n${indent(alignColumns(newest))}`;
  }
  const { composition } = await client.get<PointerInfo>('/ops/pointer');
  const names = partsOf(composition).map((part) => part.name);
  const alike = nearest(name, names);
  return alike.length > 0
    ? say('noSuchRemoteButAlike', { name, names: alike.join(', ') })
    : say('noSuchRemote', { name, names: names.join(', ') });
}

/** Up to three entries of `known` that are similar to `given`, most similar first. */
export function nearest(given: string, known: readonly string[]): string[] {
  const most = Math.max(2, Math.ceil(given.length / 3));
  return known
    .map((name) => ({ name, distance: name.includes(given) ? 1 : editDistance(given, name) }))
    .filter(({ distance }) => distance <= most)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ name }) => name);
}
