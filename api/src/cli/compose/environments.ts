import type { EnvironmentInfo } from '../../contract/compositions.ts';
import { changesBetween } from '../../releases/data/changes-between.ts';
import type { CommandContext } from './command-context.ts';
import { ago, formatChanges, shortId } from './format.ts';
import { alignColumns } from './table.ts';

/** `compose environments`: what is live in every environment of the server's database. */
export async function environments(context: CommandContext): Promise<void> {
  const { say, now } = context;
  const found = await readEnvironments(context);
  const own = found.find(({ isOwn }) => isOwn)?.composition ?? null;
  context.answer({ environments: found }, () => {
    const head = [
      say('headEnvironment'),
      say('headLive'),
      say('headRevision'),
      say('headWhen'),
      say('headDifference'),
    ];
    const rows = found.map(({ name, isOwn, revision, composition, movedAt }) => [
      name,
      composition ? shortId(composition.id) : '—',
      String(revision),
      movedAt ? ago(movedAt, now, say) : '—',
      isOwn
        ? say('ownEnvironment')
        : composition
          ? formatChanges(changesBetween(own, composition), say)
          : '—',
    ]);
    return alignColumns([head, ...rows], [2]);
  });
}

export async function readEnvironments({ client }: CommandContext): Promise<EnvironmentInfo[]> {
  return (await client.get<{ environments: EnvironmentInfo[] }>('/ops/environments')).environments;
}
