import type { PointerInfo } from '../../contract/compositions.ts';
import type { Shell } from './command-context.ts';
import { CommandFailure, Refused } from './failure.ts';

/** The pointer; null if nothing has gone live yet. */
export async function readPointer({ client }: Shell): Promise<PointerInfo | null> {
  try {
    return await client.get<PointerInfo>('/ops/pointer');
  } catch (thrown) {
    if (thrown instanceof Refused && thrown.body.error === 'not_found') return null;
    throw thrown;
  }
}

/** The pointer, for commands that require one. */
export async function needPointer(shell: Shell): Promise<PointerInfo> {
  const pointer = await readPointer(shell);
  if (pointer) return pointer;
  throw new CommandFailure(1, shell.say('nothingLive'), { error: 'not_found' });
}
