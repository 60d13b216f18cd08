import type {
  CompositionInfo,
  EnvironmentInfo,
  MoveInfo,
  PointerInfo,
} from '../../../contract/compositions.ts';
import type { ReleaseDetails, ReleaseSummary } from '../../../contract/releases.ts';
import { changesBetween } from '../../../releases/data/changes-between.ts';
import { CommandFailure } from '../../failure.ts';
import { bytes } from '../../format-bytes.ts';
import { type CommandContext, readPointer } from '../context/command-context.ts';
import { ago, clock, formatChanges, formatNextPage, shortCommit, shortId } from '../context/format.ts';
import { failingRows, formatFailing } from './health.ts';
import { alignColumns, answerPage, type Column, formatTable, indent, type PageOptions } from './table.ts';

type Page = { compositions: CompositionInfo[]; nextCursor: string | null };

/** `compose list`: the stored compositions, newest first. */
export async function list(context: CommandContext, options: PageOptions): Promise<void> {
  const { client, say, now } = context;
  const page = await client.get<Page>('/ops/compositions', { limit: options.limit, cursor: options.cursor });
  const pointer = await readPointer(context);
  const parents = await readParents(page.compositions, context);
  const failing = pointer ? await failingRows(pointer.composition, context) : [];
  context.answer(page, () => {
    const table = formatTable(
      page.compositions,
      [
        ['', ({ id }) => markOf(id, pointer, failing.length > 0, context)],
        ['headComposition', ({ id }) => shortId(id)],
        ['headMade', ({ createdAt }) => ago(createdAt, now, say)],
        ['headBy', ({ author }) => author],
        [
          'headChanges',
          (one) => formatChanges(changesBetween(parents.get(one.parent ?? '') ?? null, one), say),
        ],
        ['headWhy', ({ reason }) => reason],
      ],
      say,
    );
    const more = formatNextPage(['list'], options, page.nextCursor, say);
    return [table + more, ...formatFailing(failing, context)].join('\n');
  });
}

function markOf(id: string, pointer: PointerInfo | null, isFailing: boolean, { say }: CommandContext) {
  if (!pointer) return '';
  const { composition, canaries, previous } = pointer;
  if (id === composition.id) return say(isFailing ? 'liveFailing' : 'live');
  const canary = canaries.find((one) => one.composition.id === id);
  if (canary) return say('canaryShare', { share: canary.share });
  return id === previous ? say('before') : '';
}

/** Parents that are on the next page of the list. */
async function readParents(compositions: readonly CompositionInfo[], { client }: CommandContext) {
  const known = new Map(compositions.map((composition) => [composition.id, composition]));
  const missing = new Set(
    compositions.flatMap(({ parent }) => (parent && !known.has(parent) ? [parent] : [])),
  );
  for (const id of missing) {
    const parent = await client.get<CompositionInfo>(`/ops/compositions/${id}`).catch(() => undefined);
    if (parent) known.set(id, parent);
  }
  return known;
}

/** `compose history`: every move of the pointer, newest first. */
export function history(context: CommandContext, options: PageOptions): Promise<void> {
  const { say, now } = context;
  const columns: Column<MoveInfo>[] = [
    ['headRevision', ({ revision }) => String(revision), true],
    ['headWhen', ({ at }) => ago(at, now, say)],
    ['headMove', (move) => detectKind(move, context)],
    ['headLive', ({ composition }) => shortId(composition)],
    ['headBy', formatBy],
    ['headChanges', ({ changes }) => formatChanges(changes, say)],
    ['headWhy', ({ reason }) => reason],
  ];
  return answerPage(context, 'moves', columns, { path: '/ops/history', command: ['history'], options });
}

function detectKind({ kind, canary, share, promotedFrom }: MoveInfo, { say }: CommandContext): string {
  if (promotedFrom) return say('promotedFrom', { environment: promotedFrom.environment });
  if (kind === 'canary' || kind === 'share' || kind === 'step')
    return `${say(kind)} ${shortId(canary ?? '')} ${share ?? 0} %`;
  return say(kind);
}

/** The tokens that made the move, with the author's name if it says more. */
function formatBy({ author, token, approvedBy }: MoveInfo): string {
  const tokens = [token, approvedBy].filter((name) => name !== undefined).join(' + ');
  if (tokens === '' || tokens === author) return author;
  return `${tokens} (${author})`;
}

/** `compose environments`: the live composition of every environment in the server's database. */
export async function environments(context: CommandContext): Promise<void> {
  const { say, now } = context;
  const found = await readEnvironments(context);
  const own = found.find(({ isOwn }) => isOwn)?.composition ?? null;
  const columns: Column<EnvironmentInfo>[] = [
    ['headEnvironment', ({ name }) => name],
    ['headLive', ({ composition }) => (composition ? shortId(composition.id) : '—')],
    ['headRevision', ({ revision }) => String(revision), true],
    ['headWhen', ({ movedAt }) => (movedAt ? ago(movedAt, now, say) : '—')],
    [
      'headDifference',
      ({ isOwn, composition }) => {
        if (isOwn) return say('ownEnvironment');
        return composition ? formatChanges(changesBetween(own, composition), say) : '—';
      },
    ],
  ];
  context.answer({ environments: found }, () => formatTable(found, columns, say));
}

export async function readEnvironments({ client }: CommandContext): Promise<EnvironmentInfo[]> {
  return (await client.get<{ environments: EnvironmentInfo[] }>('/ops/environments')).environments;
}

type ReleasePage = { releases: ReleaseSummary[]; nextCursor: string | null };

/** `compose releases [name | name@version]`: newest first, or one with its files. */
export async function releases(context: CommandContext, given: string | undefined, options: PageOptions) {
  if (given?.includes('@')) return showRelease(context, given);
  const { client, say, now } = context;
  const page = await client.get<ReleasePage>('/ops/releases', { name: given, ...options });
  if (given && page.releases.length === 0 && !options.cursor)
    throw new CommandFailure(1, say('noReleases', { name: given }), { error: 'not_found' });
  context.answer(page, () => {
    if (page.releases.length === 0) return say('noReleases', { name: given ?? '' });
    const table = formatTable(
      page.releases,
      [
        [
          '',
          ({ isLive, yanked }) =>
            [...(isLive ? [say('live')] : []), ...(yanked ? [say('isYanked')] : [])].join(', '),
        ],
        ['headRelease', ({ id }) => id],
        ['headPublished', ({ publishedAt }) => ago(publishedAt, now, say)],
        ['headBy', ({ publishedBy }) => publishedBy],
        ['headContract', ({ contract }) => contract],
        ['headFiles', ({ fileCount }) => String(fileCount), true],
        ['headSize', ({ size }) => bytes(size), true],
        ['headCommit', ({ commit }) => shortCommit(commit)],
      ],
      say,
    );
    const more = formatNextPage(['releases', ...(given ? [given] : [])], options, page.nextCursor, say);
    return table + more;
  });
}

async function showRelease(context: CommandContext, id: string): Promise<void> {
  const { client, say, now } = context;
  const release = await client.get<ReleaseDetails>(`/ops/releases/${encodeURIComponent(id)}`);
  context.answer(release, () => {
    const facts = [
      [say('headPublished'), `${clock(release.publishedAt, now)} (${ago(release.publishedAt, now, say)})`],
      [say('headBy'), release.publishedBy],
      [say('headAddress'), release.base],
      [say('headContract'), release.contract],
      [say('headCommit'), release.commit ?? '—'],
      [say('headExposes'), Object.keys(release.exposes).join(' ') || '—'],
      [say('headShared'), formatRecord(release.shared)],
    ];
    const files = release.files.map(({ path, size, integrity }) => [
      path,
      bytes(size),
      integrity.slice(0, 20),
    ]);
    const state = release.isLive ? ` · ${say('live')}` : '';
    return [
      `${release.id}${state}`,
      indent(alignColumns(facts)),
      say('filesOf', { count: release.fileCount, size: bytes(release.size) }),
      indent(alignColumns(files, [1])),
    ].join('\n\n');
  });
}

function formatRecord(record: Record<string, string>): string {
  return (
    Object.entries(record)
      .map(([name, range]) => `${name} ${range}`)
      .join(', ') || '—'
  );
}
