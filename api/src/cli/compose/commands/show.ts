import type { CanaryInfo, CompositionInfo, MoveInfo, PointerInfo } from '../../../contract/compositions.ts';
import { changesBetween, partsOf } from '../../../releases/data/changes-between.ts';
import { type CommandContext, needPointer, readCompositionId } from '../context/command-context.ts';
import { ago, clock, duration, formatChanges, formatEnvironment, shortId } from '../context/format.ts';
import { failingRows, formatFailing } from './health.ts';
import { formatRestrictions } from './restrict.ts';
import { formatTable, indent } from './table.ts';

/** Number of moves searched for the one that made the live composition live. */
const MAX_MOVES = 100;

/** `compose show [id]`, default the live composition. With --json: the pointer, or the composition. */
export async function show(context: CommandContext, given: string | undefined): Promise<void> {
  const { client, say } = context;
  const id = given === undefined ? undefined : readCompositionId(given, say);
  const pointer = await needPointer(context);
  if (id === undefined) {
    const { moves } = await client.get<{ moves: MoveInfo[] }>('/ops/history', { limit: MAX_MOVES });
    const failing = await failingRows(pointer.composition, context);
    context.answer(pointer, () =>
      [
        formatLive(pointer, moves, context),
        ...formatFailing(failing, context),
        ...formatRestrictions(pointer, context),
        ...formatWatch(pointer, context),
        formatCanaries(pointer, context),
      ].join('\n\n'),
    );
    return;
  }
  const composition = await client.get<CompositionInfo>(`/ops/compositions/${id}`);
  context.answer(composition, () => {
    const isLive = composition.id === pointer.composition.id;
    const differs = formatChanges(changesBetween(pointer.composition, composition), say);
    return [
      formatComposition(composition, context),
      isLive ? say('isLiveNow') : say('againstLive', { changes: differs }),
    ].join('\n\n');
  });
}

function formatWatch({ watch }: PointerInfo, { say, now }: CommandContext): string[] {
  return watch ? [say('watchedUntil', { at: clock(watch.until, now), id: shortId(watch.from) })] : [];
}

function formatLive(pointer: PointerInfo, moves: readonly MoveInfo[], context: CommandContext): string {
  const { say, now } = context;
  const { composition, previous } = pointer;
  // The pointer's own time is that of its last move, which may concern a canary.
  const began = moves.find((move) => move.composition === composition.id && move.from !== composition.id);
  const since = began
    ? say('liveSince', { ago: ago(began.at, now, say), at: clock(began.at, now), revision: began.revision })
    : say('liveLonger', { count: MAX_MOVES });
  const none = composition.parent === null ? 'noRollbackTarget' : 'noWorkingRollbackTarget';
  const back = previous ? say('rollbackTarget', { id: shortId(previous) }) : say(none);
  return [
    ...formatEnvironment(pointer, say),
    formatComposition(pointer.composition, context),
    '',
    since,
    back,
  ].join('\n');
}

function formatComposition(composition: CompositionInfo, { say, now }: CommandContext): string {
  const { id, author, createdAt, reason, parent } = composition;
  const parts = formatTable(
    partsOf(composition),
    [
      ['headPart', ({ name }) => name],
      ['headVersion', ({ version }) => version],
      ['headFallback', ({ name, previous }) => previous?.slice(name.length + 1) ?? '—'],
      ['headAddress', ({ base }) => base],
    ],
    say,
  );
  return [
    say('compositionTitle', { id }),
    say('madeBy', { author, ago: ago(createdAt, now, say), at: clock(createdAt, now), reason }),
    ...(parent ? [say('madeFrom', { id: shortId(parent) })] : []),
    '',
    indent(parts),
  ].join('\n');
}

/** A few lines about each canary, or that there is none. */
export function formatCanaries(pointer: PointerInfo, context: Pick<CommandContext, 'say' | 'now'>): string {
  if (pointer.canaries.length === 0) return context.say('noCanary');
  return pointer.canaries.map((canary) => formatCanary(canary, pointer, context)).join('\n\n');
}

export function formatCanary(
  canary: CanaryInfo,
  { composition }: PointerInfo,
  { say, now }: Pick<CommandContext, 'say' | 'now'>,
): string {
  const changes = formatChanges(changesBetween(composition, canary.composition), say);
  const { share, author, reason, startedAt, halted, paused, plan } = canary;
  const id = shortId(canary.composition.id);
  const when = (at: string) => ago(at, now, say);
  return [
    say('canaryRuns', { id, share, changes, author, ago: when(startedAt), reason }),
    ...(plan
      ? [
          say('canaryPlan', {
            steps: plan.steps.map((step) => `${step} %`).join(', '),
            every: duration(plan.everySeconds),
            pages: plan.minPages,
          }),
        ]
      : []),
    ...(paused ? [say('canaryPaused', { ...paused, ago: when(paused.at) })] : []),
    ...(halted ? [say('canaryHalted', { ago: when(halted.at), reason: halted.reason })] : []),
  ].join('\n');
}
