import type { BuildToSend } from '../../compositions/read-build.ts';
import { describeRelease } from '../../compositions/release-description.ts';
import { CommandFailure, Refused } from '../failure.ts';
import { differencesFrom } from './differences.ts';
import { mismatchOf } from './host-mismatch.ts';
import type { ReleaseClient } from './release-client.ts';
import type { SayRelease } from './release-messages.ts';

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
