import type { EnvironmentInfo } from '../../../contract/compositions.ts';
import { changesBetween } from '../../../releases/data/changes-between.ts';
import type { CommandContext } from '../context/command-context.ts';
import { ago, formatChanges, shortId } from '../context/format.ts';
import { type Column, formatTable } from './table.ts';

/** `compose environments`: what is live in every environment of the server's database. */
export async function environments(context: CommandContext): Promise<void> {
  const { say, now } = context;
  const found = await readEnvironments(context);
  const own = found.find(({ isOwn }) => isOwn)?.composition ?? null;
  const columns: Column<EnvironmentInfo>[] = [
    ['headEnvironment', ({ name }) => name],
    ['headLive', ({ composition }) => (composition ? shortId(composition.id) : '—')],
    ['headRevision', ({ revision }) => String(revision), true],
    ['headWhen', ({ movedAt }) => (movedAt ? ago(movedAt, now, say) : '—')],
    [
      'headDifference',
      ({ isOwn, composition }) => {
        if (isOwn) return say('ownEnvironment');
        return composition ? formatChanges(changesBetween(own, composition), say) : '—';
      },
    ],
  ];
  context.answer({ environments: found }, () => formatTable(found, columns, say));
}

export async function readEnvironments({ client }: CommandContext): Promise<EnvironmentInfo[]> {
  return (await client.get<{ environments: EnvironmentInfo[] }>('/ops/environments')).environments;
}
