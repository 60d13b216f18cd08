import type { PendingChange, PointerInfo } from '../../contract/compositions.ts';
import type { CommandContext } from './command-context.ts';
import { ago, formatNextPage } from './format.ts';
import { readPointer } from './read-pointer.ts';
import { formatMoved } from './set.ts';
import { alignColumns } from './table.ts';

/** `compose changes`: changes that need a second token, newest first. */
export async function listChanges(
  { client, say, now, answer }: CommandContext,
  options: { limit?: number; cursor?: string },
): Promise<void> {
  const page = await client.get<{ changes: PendingChange[]; nextCursor: string | null }>('/ops/changes', {
    ...options,
  });
  answer(page, () => {
    if (page.changes.length === 0) return say('noChanges');
    const head = [
      say('headChange'),
      say('headState'),
      say('headWhen'),
      say('headMove'),
      say('headWhat'),
      say('headBy'),
      say('headWhy'),
    ];
    const rows = page.changes.map((change) => [
      change.id,
      say(`change_${change.state}`, { name: change.approvedBy ?? change.rejectedBy ?? '' }),
      ago(change.requestedAt, now, say),
      say(change.kind),
      change.names.join(' '),
      change.token === change.author ? change.token : `${change.token} (${change.author})`,
      change.reason,
    ]);
    return `${alignColumns([head, ...rows])}${formatNextPage(['changes'], options, page.nextCursor, say)}`;
  });
}

/** `compose approve 3f9c21aa`. */
export async function approveChange(context: CommandContext, id: string): Promise<void> {
  const { client, say, answer } = context;
  const before = await readPointer(context);
  const after = await client.post<PointerInfo>(`/ops/changes/${encodeURIComponent(id)}/approve`, {});
  answer(after, () => `${say('changeApproved', { id })}\n${formatMoved(before, after, context)}`);
}

/** `compose reject 3f9c21aa`. */
export async function rejectChange({ client, say, answer }: CommandContext, id: string): Promise<void> {
  const change = await client.post<PendingChange>(`/ops/changes/${encodeURIComponent(id)}/reject`, {});
  answer(change, () => say('changeRejected', { id: change.id }));
}

export function formatWaiting(change: PendingChange, { say }: CommandContext): string {
  const hours = Math.round((Date.parse(change.expiresAt) - Date.parse(change.requestedAt)) / 3_600_000);
  return say('waitsForApproval', { id: change.id, hours });
}
