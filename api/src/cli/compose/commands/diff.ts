import type { CompositionDiff, PartDiff } from '../../../contract/compositions.ts';
import { CommandFailure } from '../../failure.ts';
import { bytes, bytesMore } from '../../format-bytes.ts';
import { type CommandContext, needPointer, readCompositionId } from '../context/command-context.ts';
import { formatChange, shortId } from '../context/format.ts';
import { alignColumns, indent } from './table.ts';

/** `compose diff [from] [to]`: `to` defaults to the live composition, `from` to the one before. */
export async function diff(context: CommandContext, first: string | undefined, second: string | undefined) {
  const { client, say } = context;
  const { from, to } = await aims(first, second, context);
  const difference = await client.get<CompositionDiff>('/ops/diff', { from, to });
  context.answer(difference, () => {
    const changed = difference.parts.filter(isChanged);
    const equal = difference.parts.filter((part) => !isChanged(part)).map(({ name }) => name);
    return [
      say('diffTitle', {
        from: shortId(difference.from),
        to: shortId(difference.to),
        bytes: bytesMore(difference.bytes),
      }),
      ...changed.map((part) => indent(formatPart(part, context))),
      ...(equal.length > 0 ? [indent(say('unchanged', { names: equal.join(', ') }))] : []),
    ].join('\n\n');
  });
}

async function aims(first: string | undefined, second: string | undefined, context: CommandContext) {
  const { say } = context;
  if (first !== undefined && second !== undefined)
    return { from: readCompositionId(first, say), to: readCompositionId(second, say) };
  const aim = first === undefined ? undefined : readCompositionId(first, say);
  const { composition, previous } = await needPointer(context);
  if (aim !== undefined) return { from: composition.id, to: aim };
  if (previous === null) throw new CommandFailure(2, say('nothingBefore'));
  return { from: previous, to: composition.id };
}

function isChanged({ from, to, added, removed }: PartDiff): boolean {
  return from !== to || added.length + removed.length > 0;
}

function formatPart(part: PartDiff, { say }: CommandContext): string {
  const { added, removed, kept, exposesAdded, exposesRemoved, shared, contract } = part;
  const files = [
    ...added.map(({ path, size }) => ['+', path, bytes(size)]),
    ...removed.map(({ path, size }) => ['-', path, bytes(size)]),
  ];
  const none = (value: string | null) => value ?? '—';
  return [
    `${formatChange(part, say)}  (${bytesMore(part.bytes)})`,
    ...(contract.from === contract.to
      ? []
      : [indent(say('contractChange', { from: none(contract.from), to: none(contract.to) }))]),
    ...shared.map(({ library, from, to }) =>
      indent(say('sharedChange', { library, from: none(from), to: none(to) })),
    ),
    ...(exposesAdded.length > 0 ? [indent(say('exposesMore', { names: exposesAdded.join(' ') }))] : []),
    ...(exposesRemoved.length > 0 ? [indent(say('exposesLess', { names: exposesRemoved.join(' ') }))] : []),
    ...(files.length > 0 ? [indent(alignColumns(files, [2]))] : []),
    indent(say('filesKept', { count: kept })),
  ].join('\n');
}
