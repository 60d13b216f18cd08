import type { ChangeNote, CompositionChoice, PointerInfo, StartCanary } from '../../contract/compositions.ts';
import type { Health, HealthRow } from '../../contract/reports.ts';
import { formatChoice } from './choice.ts';
import type { CommandContext } from './command-context.ts';
import { CommandFailure } from './failure.ts';
import { changesBetween } from './format.ts';
import { formatWarnings } from './format-findings.ts';
import { needPointer } from './read-pointer.ts';
import { formatMoved, smoked } from './set.ts';
import { formatCanary } from './show.ts';
import { alignColumns, indent } from './table.ts';

/** Period of `canary status`, in minutes. */
const PERIOD_MINUTES = 60;

/** `compose canary start mfe-chat@1.5.0 --share 10`. */
export async function startCanary(
  context: CommandContext,
  choice: CompositionChoice,
  options: { share: number; reason?: string; smoke?: boolean },
): Promise<void> {
  const { client, author } = context;
  const { share, reason = `compose canary start ${formatChoice(choice)}`, smoke } = options;
  const { revision } = await needPointer(context);
  const aim = smoke ? await smoked(context, choice, reason) : choice;
  const after = await client.post<PointerInfo>('/ops/canary', {
    ...aim,
    share,
    author,
    reason,
    revision,
  } satisfies StartCanary);
  answerCanary(after, context);
}

/** `compose canary share 25`. */
export async function shareCanary(
  context: CommandContext,
  share: number,
  { reason }: { reason?: string },
): Promise<void> {
  const note = await noteOf(context, reason ?? `compose canary share ${share}`);
  answerCanary(await context.client.patch<PointerInfo>('/ops/canary', { share, ...note }), context);
}

/** `compose canary promote` makes it live for everyone, `abort` for nobody. */
export async function endCanary(
  context: CommandContext,
  how: 'promote' | 'abort',
  { reason }: { reason?: string },
): Promise<void> {
  const { client, say } = context;
  const before = await needPointer(context);
  if (!before.canary) throw new CommandFailure(1, say('noCanaryToEnd'), { error: 'not_found' });
  const note = {
    author: context.author,
    reason: reason ?? `compose canary ${how}`,
    revision: before.revision,
  };
  const after = await client.post<PointerInfo>(`/ops/canary/${how}`, note satisfies ChangeNote);
  context.answer(after, () =>
    how === 'promote' ? formatMoved(before, after, context) : say('canaryAborted'),
  );
}

/** `compose canary status`: the canary's health compared with the live composition. */
export async function canaryStatus(context: CommandContext): Promise<void> {
  const pointer = await needPointer(context);
  const health = pointer.canary
    ? await context.client.get<Health>('/ops/health', { minutes: PERIOD_MINUTES })
    : undefined;
  context.answer(pointer, () =>
    [formatCanary(pointer, context), ...(health ? [formatHealth(pointer, health, context)] : [])].join(
      '\n\n',
    ),
  );
}

async function noteOf(context: CommandContext, reason: string): Promise<Required<ChangeNote>> {
  const { author, say } = context;
  const { revision, canary } = await needPointer(context);
  if (!canary) throw new CommandFailure(1, say('noCanaryToEnd'), { error: 'not_found' });
  return { author, reason, revision };
}

function answerCanary(after: PointerInfo, context: CommandContext): void {
  const { say } = context;
  context.answer(after, () =>
    [formatCanary(after, context), ...formatWarnings(after.warnings, say), say('canaryNext')].join('\n'),
  );
}

/** Prints the health rows that differ, with the live and the canary version next to each other. */
function formatHealth(
  { composition, canary }: PointerInfo,
  { rows }: Health,
  { say }: CommandContext,
): string {
  const changes = canary ? changesBetween(composition, canary.composition) : [];
  const changedRows = changes.flatMap(({ name, from, to }) =>
    [from, to].flatMap((version) => {
      const row = rows.find((each) => each.remote === name && each.version === version);
      return version === null ? [] : [cells(name, version, row)];
    }),
  );
  const head = [
    say('headRelease'),
    say('headLoads'),
    say('headFailures'),
    say('headErrors'),
    say('headServed'),
    'LCP p75',
    'INP p75',
    'CLS p75',
  ];
  const worst = rows
    .flatMap(({ remote, version, lastErrors }) =>
      lastErrors.slice(0, 1).map(({ error, count }) => [`${remote}@${version}`, `${count}×`, error]),
    )
    .filter(([release]) => changes.some(({ name, to }) => release === `${name}@${to}`));
  return [
    say('healthOf', { minutes: PERIOD_MINUTES }),
    indent(alignColumns([head, ...changedRows], [1, 2, 3, 4, 5, 6, 7])),
    ...(worst.length > 0 ? [indent(alignColumns(worst))] : []),
  ].join('\n');
}

function cells(name: string, version: string, row: HealthRow | undefined): string[] {
  const vital = (kind: 'LCP' | 'INP' | 'CLS') => {
    const p75 = row?.vitals[kind]?.p75;
    if (p75 === undefined) return '—';
    return kind === 'CLS' ? p75.toFixed(3) : `${Math.round(p75)} ms`;
  };
  return [
    `${name}@${version}`,
    String(row?.loads ?? 0),
    String(row?.failures ?? 0),
    String(row?.errors ?? 0),
    row?.served === undefined ? '—' : String(row.served),
    vital('LCP'),
    vital('INP'),
    vital('CLS'),
  ];
}
