import type { CompositionInfo, PointerInfo } from '../../../contract/compositions.ts';
import type { Health, HealthRow } from '../../../contract/reports.ts';
import { partsOf } from '../../../releases/data/changes-between.ts';
import { type CommandContext, needPointer } from '../context/command-context.ts';
import { alignColumns, type Column, formatTable, indent } from './table.ts';

const DEFAULT_MINUTES = 60;

/** `compose health`: the reports of pages. Exits with 1 if a live release is failing. */
export async function health(context: CommandContext, { minutes = DEFAULT_MINUTES }: { minutes?: number }) {
  const { client, say } = context;
  const pointer = await needPointer(context);
  const found = await client.get<Health>('/ops/health', { minutes });
  const failing = found.rows.filter((row) => row.isFailing && roleOf(row, pointer) === 'live');
  context.answer(found, () =>
    [
      say('healthOf', { minutes }),
      indent(formatHealthRows(found.rows, { say }, (row) => stateOf(row, pointer, context))),
      failing.length > 0
        ? say('healthFailing', {
            releases: failing.map(({ remote, version }) => `${remote}@${version}`).join(', '),
          })
        : say(found.rows.length > 0 ? 'healthFine' : 'healthEmpty'),
    ].join('\n'),
  );
  return failing.length > 0 ? 1 : 0;
}

/** A table of health rows, with the most frequent error of each release below it. */
export function formatHealthRows(
  rows: readonly HealthRow[],
  { say }: Pick<CommandContext, 'say'>,
  state?: (row: HealthRow) => string,
): string {
  const columns: Column<HealthRow>[] = [
    ['headRelease', ({ remote, version }) => `${remote}@${version}`],
    ['headLoads', ({ loads }) => String(loads), true],
    ['headFailures', ({ failures }) => String(failures), true],
    ['headErrors', ({ errors }) => String(errors), true],
    ['headServed', ({ served }) => String(served ?? '—'), true],
    ['headLcp', ({ vitals }) => milliseconds(vitals.LCP), true],
    ['headInp', ({ vitals }) => milliseconds(vitals.INP), true],
    ['headCls', ({ vitals }) => vitals.CLS?.p75.toFixed(3) ?? '—', true],
    ...(state ? [['headState', state] as const] : []),
  ];
  const errors = rows.flatMap(({ remote, version, lastErrors }) =>
    lastErrors.slice(0, 1).map(({ error, count }) => [`${remote}@${version}`, `${count}×`, error]),
  );
  const table = formatTable(rows, columns, say);
  return errors.length > 0 ? `${table}\n${alignColumns(errors)}` : table;
}

function milliseconds(vital: HealthRow['vitals']['LCP']): string {
  return vital ? `${Math.round(vital.p75)} ms` : '—';
}

function roleOf({ remote, version }: HealthRow, { composition, canaries }: PointerInfo) {
  const names = (one: typeof composition) =>
    partsOf(one).some((part) => part.name === remote && part.version === version);
  if (names(composition)) return 'live';
  return canaries.some((canary) => names(canary.composition)) ? 'canary' : null;
}

function stateOf(row: HealthRow, pointer: PointerInfo, { say }: CommandContext): string {
  const role = roleOf(row, pointer);
  const told = role === null ? say('oldTabs') : say(role);
  return row.isFailing ? say('stateFailing', { state: told }) : told;
}

/** Failing releases in `composition`. Empty without an answer, so that the command does not fail. */
export async function failingRows(composition: CompositionInfo, { client }: CommandContext) {
  const health = await client.get<Health>('/ops/health', { minutes: DEFAULT_MINUTES }).catch(() => null);
  return (health?.rows ?? []).filter(
    ({ remote, version, isFailing }) =>
      isFailing && partsOf(composition).some((part) => part.name === remote && part.version === version),
  );
}

export function formatFailing(rows: readonly HealthRow[], { say }: Pick<CommandContext, 'say'>): string[] {
  if (rows.length === 0) return [];
  const lines = rows.map(({ remote, version, loads, failures, opened = 0, lastErrors }) => {
    const release = `${remote}@${version}`;
    const error = lastErrors.find(({ kind }) => kind === 'failure')?.error;
    const text =
      failures > 0
        ? say('releaseFails', { release, failures, loads, minutes: DEFAULT_MINUTES })
        : say('releaseSilent', { release, opened, loads, minutes: DEFAULT_MINUTES });
    return error ? `${text}\n  ${error}` : text;
  });
  return [lines.join('\n')];
}
