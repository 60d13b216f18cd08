import type { PointerInfo } from '../../contract/compositions.ts';
import { CommandFailure, Refused } from '../failure.ts';
import type { CommandContext } from './command-context.ts';

/** The pointer; null if nothing has gone live yet. */
export async function readPointer({ client }: CommandContext): Promise<PointerInfo | null> {
  try {
    return await client.get<PointerInfo>('/ops/pointer');
  } catch (thrown) {
    if (thrown instanceof Refused && thrown.body.error === 'not_found') return null;
    throw thrown;
  }
}

/** The pointer, for commands that require one. */
export async function needPointer(context: CommandContext): Promise<PointerInfo> {
  const pointer = await readPointer(context);
  if (pointer) return pointer;
  throw new CommandFailure(1, context.say('nothingLive'), { error: 'not_found' });
}
