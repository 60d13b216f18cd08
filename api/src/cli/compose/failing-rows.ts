import type { CompositionInfo, Health, HealthRow } from '../../contract/contract.ts';
import type { Shell } from './shell.ts';
import { partsOf } from './told.ts';

/** Minutes that are looked back on. */
const LOOK_BACK = 60;

/** What pages tell of releases of `composition` that fail. Empty where the desk does not say: nothing else shall fail for it. */
export async function failingRows(composition: CompositionInfo, { client }: Shell): Promise<HealthRow[]> {
  const health = await client.get<Health>('/ops/health', { minutes: LOOK_BACK }).catch(() => null);
  return (health?.rows ?? []).filter(
    ({ remote, version, isFailing }) =>
      isFailing && partsOf(composition).some((part) => part.name === remote && part.version === version),
  );
}

/** A block of lines, or none. */
export function tellFailing(rows: readonly HealthRow[], { say }: Pick<Shell, 'say'>): string[] {
  if (rows.length === 0) return [];
  const lines = rows.map(({ remote, version, loads, failures, opened = 0, lastErrors }) => {
    const release = `${remote}@${version}`;
    const error = lastErrors.find(({ kind }) => kind === 'failure')?.error;
    const told =
      failures > 0
        ? say('releaseFails', { release, failures, loads, minutes: LOOK_BACK })
        : say('releaseSilent', { release, opened, loads, minutes: LOOK_BACK });
    return error ? `${told}\n  ${error}` : told;
  });
  return [lines.join('\n')];
}
