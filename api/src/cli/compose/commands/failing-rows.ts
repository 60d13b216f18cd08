import type { CompositionInfo } from '../../../contract/compositions.ts';
import type { Health, HealthRow } from '../../../contract/reports.ts';
import { partsOf } from '../../../releases/data/changes-between.ts';
import type { CommandContext } from '../context/command-context.ts';

const PERIOD_MINUTES = 60;

/** Failing releases in `composition`. Empty without an answer, so that the command does not fail. */
export async function failingRows(
  composition: CompositionInfo,
  { client }: CommandContext,
): Promise<HealthRow[]> {
  const health = await client.get<Health>('/ops/health', { minutes: PERIOD_MINUTES }).catch(() => null);
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
        ? say('releaseFails', { release, failures, loads, minutes: PERIOD_MINUTES })
        : say('releaseSilent', { release, opened, loads, minutes: PERIOD_MINUTES });
    return error ? `${text}\n  ${error}` : text;
  });
  return [lines.join('\n')];
}
