import type { MoveInfo } from '../../contract/compositions.ts';
import type { CommandContext } from './command-context.ts';
import { ago, formatChanges, formatNextPage, shortId } from './format.ts';
import { alignColumns } from './table.ts';

interface Page {
  moves: MoveInfo[];
  nextCursor: string | null;
}

/** `compose history`: every move of the pointer, newest first. */
export async function history(
  context: CommandContext,
  options: { limit?: number; cursor?: string },
): Promise<void> {
  const { client, say, now } = context;
  const page = await client.get<Page>('/ops/history', { limit: options.limit, cursor: options.cursor });
  context.answer(page, () => {
    const head = [
      say('headRevision'),
      say('headWhen'),
      say('headMove'),
      say('headLive'),
      say('headBy'),
      say('headChanges'),
      say('headWhy'),
    ];
    const rows = page.moves.map((move) => [
      String(move.revision),
      ago(move.at, now, say),
      detectKind(move, context),
      shortId(move.composition),
      formatBy(move),
      formatChanges(move.changes, say),
      move.reason,
    ]);
    const more = formatNextPage(['history'], options, page.nextCursor, say);
    return `${alignColumns([head, ...rows], [0])}${more}`;
  });
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
