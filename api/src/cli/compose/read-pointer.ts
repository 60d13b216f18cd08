import type { PointerInfo } from '../../contract/contract.ts';
import { CommandFailure, Refused } from './failure.ts';
import type { Shell } from './shell.ts';

/** What is live; null on a desk that has not gone live yet. */
export async function readPointer({ client }: Shell): Promise<PointerInfo | null> {
  try {
    return await client.get<PointerInfo>('/ops/pointer');
  } catch (thrown) {
    if (thrown instanceof Refused && thrown.body.error === 'not_found') return null;
    throw thrown;
  }
}

/** The same, for what makes no sense before. */
export async function needPointer(shell: Shell): Promise<PointerInfo> {
  const pointer = await readPointer(shell);
  if (pointer) return pointer;
  throw new CommandFailure(1, shell.say('nothingLive'), { error: 'not_found' });
}
