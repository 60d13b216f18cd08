import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type {
  CompositionInfo,
  ExportedComposition,
  ImportComposition,
  ImportedComposition,
} from '../../../contract/compositions.ts';
import { changesBetween } from '../../../releases/data/changes-between.ts';
import { CommandFailure, Refused } from '../../failure.ts';
import {
  type CommandContext,
  needPointer,
  readCompositionId,
  readPointer,
} from '../context/command-context.ts';
import { formatChanges, shortId } from '../context/format.ts';

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

/** `compose import file`: stores the composition of an exported file, if all of its releases are here. */
export async function importComposition(context: CommandContext, file: string): Promise<void> {
  const { say, author } = context;
  const exported = await readExported(file, context);
  const pointer = await readPointer(context);
  const done = await post({ ...exported, author }, context);
  const { composition, isNew, missingFallbacks } = done;
  context.answer(done, () => {
    const changes = formatChanges(changesBetween(pointer?.composition ?? null, composition), say);
    return [
      say(isNew ? 'imported' : 'importedBefore', { id: composition.id, changes }),
      ...(missingFallbacks.length > 0
        ? [say('fallbacksMissing', { names: missingFallbacks.join(', ') })]
        : []),
      say('importNext', { id: shortId(composition.id) }),
    ].join('\n');
  });
}

async function post(body: ImportComposition, { client, say }: CommandContext): Promise<ImportedComposition> {
  try {
    return await client.post<ImportedComposition>('/ops/compositions/import', body);
  } catch (thrown) {
    if (!(thrown instanceof Refused) || thrown.body.field !== 'releases') throw thrown;
    throw new CommandFailure(
      1,
      `${thrown.body.msg}\n${say(thrown.status === 404 ? 'seeMissing' : 'seeDiffering')}`,
      thrown.body,
    );
  }
}

async function readExported(file: string, { say }: CommandContext): Promise<ExportedComposition> {
  let content: string;
  try {
    content = file === '-' ? await text(process.stdin) : await readFile(file, 'utf8');
  } catch (cause) {
    const why = (cause as NodeJS.ErrnoException).code ?? String(cause);
    throw new CommandFailure(2, say('cannotRead', { file, why }));
  }
  try {
    const parsed = JSON.parse(content) as ExportedComposition;
    if (parsed.format === 'desk-composition/1') return parsed;
  } catch {
    // Reported below, like JSON of another format.
  }
  throw new CommandFailure(2, say('notExported', { file }));
}
