import { isDeepStrictEqual } from 'node:util';
import { describeRelease } from '../../compositions/release-description.ts';
import type { ReleaseUpload } from '../../contract/releases.ts';
import { Refused } from '../failure.ts';
import type { ReleaseClient } from './release-client.ts';

/** Maximum number of paths listed. */
const named = 3;

/** What distinguishes two builds of one version: fields of release.json, such as `routes`, and paths of files. */
export function differencesOf(ours: ReleaseUpload, theirs: ReleaseUpload): string[] {
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
