import type { BuildToSend } from '../../compositions/read-build.ts';
import { CommandFailure, Refused } from '../failure.ts';
import type { ReleaseClient } from './release-client.ts';
import type { SayRelease } from './release-messages.ts';

export interface DryRun {
  /** `unasked`: the build is valid, but the server could not be asked. */
  status: 'new' | 'same' | 'taken' | 'unasked';
  text: string;
}

/** Maximum number of paths listed. */
const named = 3;

/** What publishing `build` would do. Sends nothing; without a token or a server it still checks the build. */
export async function dryRun(
  { upload }: BuildToSend,
  { say, connect }: { say: SayRelease; connect(): Promise<ReleaseClient> },
): Promise<DryRun> {
  const id = `${upload.name}@${upload.version}`;
  try {
    const existing = await (await connect()).find(id);
    if (!existing) return { status: 'new', text: say('dryNew', { id }) };
    const there = new Map(existing.files.map(({ path, integrity }) => [path, integrity]));
    const ours = new Map(upload.files.map(({ path, integrity }) => [path, integrity]));
    const different = [...new Set([...there.keys(), ...ours.keys()])].filter(
      (path) => there.get(path) !== ours.get(path),
    );
    if (different.length === 0) return { status: 'same', text: say('drySame', { id }) };
    const paths = `${different.slice(0, named).join(', ')}${different.length > named ? ', …' : ''}`;
    return { status: 'taken', text: say('dryTaken', { id, paths }) };
  } catch (cause) {
    if (!(cause instanceof CommandFailure || cause instanceof Refused)) throw cause;
    return { status: 'unasked', text: say('dryUnasked', { why: cause.message }) };
  }
}
