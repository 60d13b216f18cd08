import type { CompositionInfo, ExportedComposition } from '../../contract/compositions.ts';
import { readCompositionId } from './choice.ts';
import type { CommandContext } from './command-context.ts';
import { needPointer } from './read-pointer.ts';

/** `compose export [composition]`: prints it as a file for `compose import`. */
export async function exportComposition(context: CommandContext, given: string | undefined): Promise<void> {
  const { client, say } = context;
  const { id, host, remotes, parent, author, reason, createdAt } =
    given === undefined
      ? (await needPointer(context)).composition
      : await client.get<CompositionInfo>(`/ops/compositions/${readCompositionId(given, say)}`);
  const file = {
    format: 'desk-composition/1',
    ...{ id, host, remotes, parent, author, reason, createdAt },
  } satisfies ExportedComposition;
  context.answer(file, () => JSON.stringify(file, null, 2));
}
