import { isDeepStrictEqual } from 'node:util';
import semver from 'semver';
import type { ReleaseUpload } from '../../contract/releases.ts';
import { describeRelease } from '../../releases/data/release-description.ts';
import type { BuildToSend } from '../../releases/publish/read-build.ts';
import { CommandFailure, Refused } from '../failure.ts';
import type { SayRelease } from '../say.ts';
import type { ReleaseClient } from './release-client.ts';

export interface DryRun {
  /** `unfit`: the live host could not open it. `unasked`: the build is valid, but the server could not be asked. */
  status: 'new' | 'same' | 'taken' | 'unfit' | 'unasked';
  text: string;
}

/** What publishing `build` would do. Sends nothing; without a token or a server it still checks the build. */
export async function dryRun(
  { upload }: BuildToSend,
  { say, connect }: { say: SayRelease; connect(): Promise<ReleaseClient> },
): Promise<DryRun> {
  const id = `${upload.name}@${upload.version}`;
  try {
    const client = await connect();
    const existing = await client.find(id);
    const unfit = existing ? undefined : await mismatchOf(upload, client, say);
    if (unfit) return { status: 'unfit', text: unfit };
    if (!existing) return { status: 'new', text: say('dryNew', { id }) };
    if (existing.digest === describeRelease(upload).digest)
      return { status: 'same', text: say('drySame', { id }) };
    const different = (await differencesFrom(upload, client)).join(', ');
    return { status: 'taken', text: say('dryTaken', { id, different }) };
  } catch (cause) {
    if (!(cause instanceof CommandFailure || cause instanceof Refused)) throw cause;
    return { status: 'unasked', text: say('dryUnasked', { why: cause.message }) };
  }
}

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

/** Maximum number of paths listed. */
const named = 3;

/** What distinguishes two builds of one version: fields of release.json, such as `routes`, and paths of files. */
function differencesOf(ours: ReleaseUpload, theirs: ReleaseUpload): string[] {
  const [a, b] = [describeRelease(ours), describeRelease(theirs)];
  if (a.digest === b.digest) return [];
  const { name: _, version: __, commit: ___, digest: ____, files, ...fields } = { ...b, ...a };
  const others = (Object.keys(fields) as (keyof typeof fields)[]).filter(
    (field) => !isDeepStrictEqual(a[field], b[field]),
  );
  const byPath = ({ files }: typeof a) => new Map(files.map((file) => [file.path, file]));
  const [mine, known] = [byPath(a), byPath(b)];
  const paths = [...new Set([...known.keys(), ...mine.keys()])].filter(
    (path) => !isDeepStrictEqual(mine.get(path), known.get(path)),
  );
  return [...others, ...paths.slice(0, named), ...(paths.length > named ? ['…'] : [])];
}

/** The same for the published release of that version; empty if the server does not say. */
export async function differencesFrom(upload: ReleaseUpload, client: ReleaseClient): Promise<string[]> {
  try {
    return differencesOf(upload, await client.upload(`${upload.name}@${upload.version}`));
  } catch (cause) {
    if (cause instanceof Refused) return [];
    throw cause;
  }
}
