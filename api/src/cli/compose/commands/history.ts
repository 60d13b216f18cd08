import type { MoveInfo } from '../../../contract/compositions.ts';
import type { CommandContext } from '../context/command-context.ts';
import { ago, formatChanges, shortId } from '../context/format.ts';
import { answerPage, type Column, type PageOptions } from './table.ts';

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
