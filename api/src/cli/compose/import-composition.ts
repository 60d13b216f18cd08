import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { changesBetween } from '../../compositions/changes-between.ts';
import type {
  ExportedComposition,
  ImportComposition,
  ImportedComposition,
} from '../../contract/compositions.ts';
import { CommandFailure, Refused } from '../failure.ts';
import type { CommandContext } from './command-context.ts';
import { formatChanges, shortId } from './format.ts';
import { readPointer } from './read-pointer.ts';

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
