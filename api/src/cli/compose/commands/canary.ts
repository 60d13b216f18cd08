import type {
  CanaryChange,
  CanaryProgress,
  CompositionChoice,
  PointerInfo,
  ShareCanary,
  StartCanary,
} from '../../../contract/compositions.ts';
import type { Health, HealthRow } from '../../../contract/reports.ts';
import { changesBetween } from '../../../releases/data/changes-between.ts';
import { CommandFailure } from '../../failure.ts';
import {
  type CommandContext,
  formatChoice,
  type NoteOptions,
  needPointer,
  noteOf,
} from '../context/command-context.ts';
import { clock, type Say } from '../context/format.ts';
import type { Sent } from '../context/ops-client.ts';
import { formatWarnings } from './check.ts';
import { formatHealthRows } from './health.ts';
import { formatMoved, smoked } from './set.ts';
import { formatCanaries, formatCanary } from './show.ts';
import { indent } from './table.ts';

const PERIOD_MINUTES = 60;

export interface StartOptions extends NoteOptions {
  share?: number;
  steps?: number[];
  every?: number;
  minPages?: number;
  smoke?: boolean;
}

/** `compose canary start mfe-chat@1.5.0 --share 10`, or `--steps 1,5,25,100 --every 10m`. */
export async function startCanary(context: CommandContext, choice: CompositionChoice, options: StartOptions) {
  const note = noteOf(context, await needPointer(context), `canary start ${formatChoice(choice)}`, options);
  const aim = options.smoke ? await smoked(context, choice, note.reason) : choice;
  const body = { ...aim, ...shareOf(options), ...note } satisfies Sent<StartCanary>;
  const after = await context.client.post<PointerInfo>('/ops/canary', body);
  answerCanaries(after, context);
}

/** Throws unless the options give either a share or steps. */
export function assertShare({ share, steps, every, minPages }: StartOptions, say: Say): void {
  const fail = (message: string) => {
    throw new CommandFailure(2, message);
  };
  if (steps && share !== undefined) fail(say('shareAndSteps'));
  if (!steps && share === undefined)
    fail(`${say('shareOrSteps')}\n${say('usageSeeHelp', { command: 'canary start ' })}`);
  if (steps && every === undefined) fail(say('everyRequired'));
  if (!steps && every !== undefined) fail(say('onlyWithSteps', { name: '--every' }));
  if (!steps && minPages !== undefined) fail(say('onlyWithSteps', { name: '--min-pages' }));
}

function shareOf({ share, steps, every = 0, minPages }: StartOptions) {
  if (!steps) return { share };
  return { plan: { steps, everySeconds: every, ...(minPages === undefined ? {} : { minPages }) } };
}

/** `compose canary share 25 [remote]`. */
export async function shareCanary(
  context: CommandContext,
  share: number,
  remote: string | undefined,
  options: NoteOptions,
): Promise<void> {
  const { note } = await changeOf(context, `share ${share}`, remote, options);
  const body = { share, ...note } satisfies ShareCanary;
  answerCanaries(await context.client.patch<PointerInfo>('/ops/canary', body), context);
}

export type CanaryAction = 'promote' | 'abort' | 'pause' | 'resume';

/** `compose canary promote [remote]` makes it live for everyone, `abort` for nobody; `pause` and `resume` its steps. */
export function changeCanary(action: CanaryAction) {
  return async (context: CommandContext, remote: string | undefined, options: NoteOptions): Promise<void> => {
    const { client, say } = context;
    const { before, note } = await changeOf(context, action, remote, options);
    const after = await client.post<PointerInfo>(`/ops/canary/${action}`, note satisfies CanaryChange);
    if (action === 'pause' || action === 'resume') return answerCanaries(after, context);
    context.answer(after, () =>
      action === 'promote' ? formatMoved(before, after, context) : say('canaryAborted'),
    );
  };
}

/** `compose canary status`: progress and health of each canary, compared with the live composition. */
export async function canaryStatus(context: CommandContext): Promise<void> {
  const { client, say } = context;
  const pointer = await needPointer(context);
  const { canaries } = await client.get<{ canaries: CanaryProgress[] }>('/ops/canary');
  const health =
    canaries.length > 0 ? await client.get<Health>('/ops/health', { minutes: PERIOD_MINUTES }) : undefined;
  context.answer({ ...pointer, canary: canaries[0] ?? null, canaries }, () =>
    canaries.length === 0
      ? say('noCanary')
      : canaries
          .flatMap((canary) => [
            [formatCanary(canary, pointer, context), formatProgress(canary, context)].join('\n'),
            ...(health ? [formatHealth(pointer, canary, health, context)] : []),
          ])
          .join('\n\n'),
  );
}

function formatProgress(canary: CanaryProgress, { say, now }: CommandContext): string {
  const { plan, pages, waitsFor, nextShare, nextAt } = canary;
  const loaded = Object.entries(pages).map(([part, count]) => say('stepPages', { part, count }));
  const lines = [say(plan ? 'canaryStepPages' : 'canaryPages', { pages: loaded.join(', ') })];
  if (!plan) return lines.join('\n');
  if (nextShare === null) return [...lines, say('lastStep')].join('\n');
  const next = { share: nextShare, at: nextAt ? clock(nextAt, now) : '' };
  const keys = {
    time: 'waitsForTime',
    pages: 'waitsForPages',
    resume: 'waitsForResume',
    restart: 'waitsForRestart',
    freeze: 'waitsForFreeze',
    pin: 'waitsForPin',
  } as const;
  return [...lines, say(waitsFor ? keys[waitsFor] : 'stepIsDue', next)].join('\n');
}

async function changeOf(
  context: CommandContext,
  action: string,
  remote: string | undefined,
  options: NoteOptions,
): Promise<{ before: PointerInfo; note: CanaryChange }> {
  const { say } = context;
  const before = await needPointer(context);
  if (before.canaries.length === 0) throw new CommandFailure(1, say('noCanaryToEnd'), { error: 'not_found' });
  const command = ['canary', action, ...(remote ? [remote] : [])].join(' ');
  const note = noteOf(context, before, command, options);
  return { before, note: { ...note, ...(remote === undefined ? {} : { canary: remote }) } };
}

function answerCanaries(after: PointerInfo, context: CommandContext): void {
  const { say } = context;
  context.answer(after, () =>
    [formatCanaries(after, context), ...formatWarnings(after.warnings, say), say('canaryNext')].join('\n'),
  );
}

/** The health rows that differ, with the live and the canary version next to each other. */
function formatHealth(
  { composition }: PointerInfo,
  canary: CanaryProgress,
  { rows }: Health,
  { say }: CommandContext,
): string {
  const compared = changesBetween(composition, canary.composition).flatMap(({ name, from, to }) =>
    [from, to].flatMap((version) => {
      if (version === null) return [];
      const row = rows.find((each) => each.remote === name && each.version === version);
      return [row ?? emptyRow(name, version)];
    }),
  );
  return `${say('healthOf', { minutes: PERIOD_MINUTES })}\n${indent(formatHealthRows(compared, { say }))}`;
}

function emptyRow(remote: string, version: string): HealthRow {
  const vitals = { LCP: null, INP: null, CLS: null };
  return { remote, version, share: 0, loads: 0, failures: 0, errors: 0, vitals, series: [], lastErrors: [] };
}
