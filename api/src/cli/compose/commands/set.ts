import { setTimeout as wait } from 'node:timers/promises';
import type {
  CompositionChoice,
  MoveInfo,
  PointerInfo,
  RollBack,
  SetPointer,
} from '../../../contract/compositions.ts';
import { changesBetween, partsOf } from '../../../releases/data/changes-between.ts';
import { CommandFailure, Refused } from '../../failure.ts';
import {
  type CommandContext,
  formatChoice,
  type NoteOptions,
  needPointer,
  noteOf,
  type Outcome,
  readCompositionId,
  readPointer,
} from '../context/command-context.ts';
import { clock, formatChange, formatEnvironment, shortId } from '../context/format.ts';
import type { Sent } from '../context/ops-client.ts';
import { checkChoice, formatFindings, formatReport, formatWarnings } from './check.ts';
import { indent } from './table.ts';

export interface SetOptions extends NoteOptions {
  dryRun?: boolean;
  smoke?: boolean;
  watch?: boolean;
  watchMinutes?: number;
}

const WATCH_MINUTES = 10;

/** `compose set mfe-chat@1.4.0 …`: makes all given releases live in one step. */
export async function set(context: CommandContext, choice: CompositionChoice, options: SetOptions) {
  const { client, say } = context;
  const found = await readPointer(context);
  const reason = options.reason ?? `compose set ${formatChoice(choice)}`;
  if (options.dryRun) return tryOut(context, choice, found, { ...options, reason });
  const aim = options.smoke ? await smoked(context, choice, reason) : choice;
  const move = (revision: number) =>
    client.post<PointerInfo>('/ops/pointer', {
      ...aim,
      author: context.author,
      reason,
      revision,
      watchMinutes: options.watchMinutes ?? (options.watch ? WATCH_MINUTES : undefined),
    } satisfies Sent<SetPointer>);
  const { before, after } =
    options.ifRevision === undefined
      ? await rebased(context, aim, found, move)
      : { before: found, after: await move(options.ifRevision) };
  if (after.watch && after.revision !== before?.revision) {
    context.progress(formatMoved(before, after, context));
    return follow(after, context);
  }
  context.answer(after, () =>
    after.revision === before?.revision ? say('alreadyLive') : formatMoved(before, after, context),
  );
  return 0;
}

/** How often a change is repeated because others moved the pointer meanwhile. */
const MAX_REBASES = 20;

/** Repeats a change that others preceded with changes of other remotes. */
async function rebased(
  context: CommandContext,
  choice: CompositionChoice,
  found: PointerInfo | null,
  move: (revision: number) => Promise<PointerInfo>,
): Promise<{ before: PointerInfo | null; after: PointerInfo }> {
  const names =
    'releases' in choice
      ? [...choice.releases.map((release) => release.split('@')[0]), ...(choice.without ?? [])]
      : undefined;
  let before = found;
  for (let rebases = 0; ; rebases++)
    try {
      return { before, after: await move(before?.revision ?? 0) };
    } catch (cause) {
      if (!names || rebases === MAX_REBASES || !isPointerMoved(cause)) throw cause;
      const next = await readPointer(context);
      const changed = next ? changesBetween(before?.composition ?? null, next.composition) : [];
      if (!next || changed.some(({ name }) => names.includes(name))) throw cause;
      before = next;
    }
}

function isPointerMoved(cause: unknown): boolean {
  return cause instanceof Refused && cause.body.field === 'revision';
}

/** Describes the new live composition, and how to go back. */
export function formatMoved(before: PointerInfo | null, after: PointerInfo, { say }: CommandContext): string {
  const changes = changesBetween(before?.composition ?? null, after.composition);
  return [
    ...formatEnvironment(after, say),
    say(before ? 'movedTo' : 'firstLive', {
      from: shortId(before?.composition.id ?? ''),
      to: shortId(after.composition.id),
      revision: after.revision,
    }),
    ...(changes.length > 0 ? [indent(changes.map((change) => formatChange(change, say)).join('\n'))] : []),
    ...(before?.canaries ?? [])
      .filter(
        ({ id, composition }) =>
          composition.id !== after.composition.id && !after.canaries.some((one) => one.id === id),
      )
      .map(({ composition }) => say('canaryEnded', { id: shortId(composition.id) })),
    ...formatWarnings(after.warnings, say),
    say('nextPages'),
    ...(after.previous ? [say('rollbackTarget', { id: shortId(after.previous) })] : []),
  ].join('\n');
}

/** Returns the composition whose screens were opened; throws the findings. */
export async function smoked(context: CommandContext, choice: CompositionChoice, reason: string) {
  const { composition, isFine, findings } = await checkChoice(context, choice, { smoke: true, reason });
  const { allowWeakerGuard } = choice;
  if (isFine) return { composition, ...(allowWeakerGuard ? { allowWeakerGuard } : {}) };
  const { say } = context;
  throw new CommandFailure(1, `${say('checkStops')}\n\n${formatFindings(findings, say)}`, {
    error: 'check_failed',
    findings,
  });
}

async function tryOut(
  context: CommandContext,
  choice: CompositionChoice,
  pointer: PointerInfo | null,
  options: { smoke?: boolean; reason: string },
): Promise<Outcome> {
  const { say } = context;
  const report = await checkChoice(context, choice, options);
  context.answer(report, () => {
    const live = new Map(partsOf(pointer?.composition).map(({ name, version }) => [name, version]));
    const wanted = choice.releases ?? [];
    const named = wanted.map((release) => {
      const [name = '', version = ''] = release.split(/@(.*)/s);
      return indent(formatChange({ name, from: live.get(name) ?? null, to: version }, say));
    });
    const gone = (choice.without ?? []).map((name) =>
      indent(formatChange({ name, from: live.get(name) ?? '', to: null }, say)),
    );
    return [say('dryRun'), ...named, ...gone, '', formatReport(report, context)].join('\n');
  });
  return report.isFine ? 0 : 1;
}

/** `compose rollback [to]`: goes back to the previous composition, or to another one. */
export async function rollback(
  context: CommandContext,
  to: string | undefined,
  { force, ...options }: NoteOptions & { force?: boolean },
): Promise<void> {
  const { client, say } = context;
  const aim = to === undefined ? undefined : readCompositionId(to, say);
  const before = await needPointer(context);
  const note = noteOf(context, before, ['rollback', to ?? ''].join(' ').trim(), options);
  const body = { ...note, to: aim, force } satisfies Sent<RollBack>;
  const after = await client.post<PointerInfo>('/ops/pointer/rollback', body);
  context.answer(after, () =>
    after.revision === before.revision ? say('alreadyLive') : formatMoved(before, after, context),
  );
}

/** Interval of asking the server, in ms. */
const INTERVAL_MS = 3000;
/** Time after the end of the watch in which the server may be unreachable, in ms. */
const PATIENCE_MS = 60_000;

/** Waits until the server has watched the new composition. 1 if it is no longer live then. */
async function follow(after: PointerInfo, context: CommandContext): Promise<Outcome> {
  const { say, now } = context;
  const until = after.watch?.until ?? '';
  context.progress(say('watching', { at: clock(until, now) }));
  let pointer = after;
  while (pointer.composition.id === after.composition.id && pointer.watch) {
    await wait(INTERVAL_MS);
    pointer = await readPatiently(pointer, Date.parse(until) + PATIENCE_MS, context);
  }
  if (pointer.composition.id === after.composition.id) {
    context.answer(pointer, () => say('watchedFine', { id: shortId(after.composition.id) }));
    return 0;
  }
  const { moves } = await context.client.get<{ moves: MoveInfo[] }>('/ops/history', { limit: 20 });
  const left = moves.find(({ from, composition }) => from === after.composition.id && composition !== from);
  const values = {
    id: shortId(after.composition.id),
    author: left?.author ?? '',
    reason: left?.reason ?? '',
    live: shortId(pointer.composition.id),
  };
  context.answer(pointer, () => say(left?.author === 'watch' ? 'watchRolledBack' : 'watchReplaced', values));
  return 1;
}

/** The server may be restarting meanwhile. */
async function readPatiently(known: PointerInfo, end: number, context: CommandContext): Promise<PointerInfo> {
  try {
    return await needPointer(context);
  } catch (cause) {
    if (!(cause instanceof CommandFailure) || cause.exitCode !== 3 || Date.now() > end) throw cause;
    return known;
  }
}
