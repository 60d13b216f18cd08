import type { CompositionInfo, MoveInfo, PointerInfo } from '../../../contract/compositions.ts';
import { changesBetween } from '../../../releases/data/changes-between.ts';
import { type CommandContext, readPointer } from '../context/command-context.ts';
import { ago, formatChanges, formatNextPage, shortId } from '../context/format.ts';
import { failingRows, formatFailing } from './health.ts';
import { answerPage, type Column, formatTable, type PageOptions } from './table.ts';

interface Page {
  compositions: CompositionInfo[];
  nextCursor: string | null;
}

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
