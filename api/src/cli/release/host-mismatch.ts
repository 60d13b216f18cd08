import semver from 'semver';
import type { ReleaseUpload } from '../../contract/releases.ts';
import type { ReleaseClient } from './release-client.ts';
import type { SayRelease } from './release-messages.ts';

/**
 * Why the host that is live could not open this build, or undefined. Asked before a version is used up; the check of a composition
 * has the last word.
 */
export async function mismatchOf(
  { name, contract, shared }: ReleaseUpload,
  client: ReleaseClient,
  say: SayRelease,
): Promise<string | undefined> {
  if (name === 'host') return undefined;
  const host = await client.liveHost();
  if (!host) return undefined;
  const faults = Object.entries(shared)
    .filter(([library, range]) => !semver.satisfies(host.shared[library] ?? '', range))
    .map(([library, range]) => say('wantsLibrary', { library, range, has: host.shared[library] ?? '—' }));
  if (!semver.satisfies(host.contract, `^${contract}`))
    faults.unshift(say('wantsContract', { contract, has: host.contract }));
  if (faults.length === 0) return undefined;
  return [
    say('hostMismatch', { host: host.id }),
    ...faults.map((fault) => `  ${fault}`),
    say('hostAdvice'),
  ].join('\n');
}
