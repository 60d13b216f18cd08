import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { ResolvedStack } from '../../contract/reports.ts';
import type { CommandContext } from './command-context.ts';

/**
 * `compose resolve-stack [file]`: a reported stack trace from a file or stdin, with positions in the sources.
 */
export async function resolveStack(
  { client, answer }: CommandContext,
  file: string | undefined,
): Promise<void> {
  const stack = file === undefined ? await text(process.stdin) : await readFile(file, 'utf8');
  const resolved = await client.post<ResolvedStack>('/ops/stack', { stack });
  answer(resolved, () => resolved.stack.trimEnd());
}
