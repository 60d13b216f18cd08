import type { PendingChange, PointerInfo } from '../../../contract/compositions.ts';
import { type CommandContext, readPointer } from '../context/command-context.ts';
import { ago } from '../context/format.ts';
import { formatMoved } from './set.ts';
import { answerPage, type Column, type PageOptions } from './table.ts';

/** `compose changes`: changes that need a second token, newest first. */
export function listChanges(context: CommandContext, options: PageOptions): Promise<void> {
  const { say, now } = context;
  const columns: Column<PendingChange>[] = [
    ['headChange', ({ id }) => id],
    [
      'headState',
      ({ state, approvedBy, rejectedBy }) => say(`change_${state}`, { name: approvedBy ?? rejectedBy ?? '' }),
    ],
    ['headWhen', ({ requestedAt }) => ago(requestedAt, now, say)],
    ['headMove', ({ kind }) => say(kind)],
    ['headWhat', ({ names }) => names.join(' ')],
    ['headBy', ({ token, author }) => (token === author ? token : `${token} (${author})`)],
    ['headWhy', ({ reason }) => reason],
  ];
  const request = { path: '/ops/changes', command: ['changes'], none: 'noChanges', options } as const;
  return answerPage(context, 'changes', columns, request);
}

/** `compose approve 3f9c21aa`. */
export async function approveChange(context: CommandContext, id: string): Promise<void> {
  const { client, say, answer } = context;
  const before = await readPointer(context);
  const after = await client.post<PointerInfo>(`/ops/changes/${encodeURIComponent(id)}/approve`);
  answer(after, () => `${say('changeApproved', { id })}\n${formatMoved(before, after, context)}`);
}

/** `compose reject 3f9c21aa`. */
export async function rejectChange({ client, say, answer }: CommandContext, id: string): Promise<void> {
  const change = await client.post<PendingChange>(`/ops/changes/${encodeURIComponent(id)}/reject`);
  answer(change, () => say('changeRejected', { id: change.id }));
}

export function formatWaiting(change: PendingChange, { say }: CommandContext): string {
  const hours = Math.round((Date.parse(change.expiresAt) - Date.parse(change.requestedAt)) / 3_600_000);
  return say('waitsForApproval', { id: change.id, hours });
}
