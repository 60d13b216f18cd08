import { shellText } from '../bson/shell-text.ts';
import { type Doc, isDoc, isNum, type Value } from '../bson/values.ts';
import { StoreError } from '../errors.ts';
import { compileFilter } from '../query/matcher.ts';
import { limited, type Source } from '../storage/sources.ts';
import { refusedName } from '../unsupported-names.ts';
import { group } from './group.ts';

export interface Stage {
  name: string;
  spec: Value;
}

/** Not part of version 1 of MongoDB's Stable API. */
const UNSTABLE = new Set([
  '$currentOp',
  '$indexStats',
  '$listLocalSessions',
  '$listSessions',
  '$planCacheStats',
  '$search',
]);

type StageRunner = (source: Source<Doc>, spec: Value) => Source<Doc>;

export const STAGES: Readonly<Record<string, StageRunner>> = {
  $group: group,
  $limit: (source, spec) => limited(source, limitOf(spec)),
  $match: (source, spec) => {
    const match = compileFilter(matchOf(spec));
    return { pull: () => source.pull()?.filter(match) };
  },
};

/** @throws StoreError what the stages would throw when they run, so that other code can rely on their form */
export function parseStages(pipeline: readonly Value[], isStrict: boolean): Stage[] {
  const stages = pipeline.map((stage) => parseStage(stage, isStrict));
  runStages({ pull: () => undefined }, stages);
  return stages;
}

function parseStage(stage: Value, isStrict: boolean): Stage {
  if (!isDoc(stage)) throw new StoreError(14, "Each element of the 'pipeline' array must be an object");
  const [name, ...others] = Object.keys(stage);
  if (name === undefined || others.length > 0)
    throw new StoreError(40323, 'A pipeline stage specification object must contain exactly one field.');
  if (isStrict && UNSTABLE.has(name))
    throw new StoreError(323, `stage ${name} is not allowed with 'apiStrict: true' in API Version 1`);
  if (Object.hasOwn(STAGES, name)) return { name, spec: stage[name] as Value };
  throw refusedName('stage', name, new StoreError(40324, `Unrecognized pipeline stage name: '${name}'`));
}

/** Each stage pulls from the one before it. */
export function runStages(source: Source<Doc>, stages: readonly Stage[]): Source<Doc> {
  return stages.reduce((before, { name, spec }) => (STAGES[name] as StageRunner)(before, spec), source);
}

export function matchOf(spec: Value): Doc {
  if (isDoc(spec)) return spec;
  throw new StoreError(15959, 'the match filter must be an expression in an object');
}

export function limitOf(spec: Value): number {
  const limit = isNum(spec) ? Number(spec) : Number.NaN;
  if (limit === 0) throw new StoreError(15958, 'the limit must be positive');
  if (limit > 0 && Number.isInteger(limit)) return limit;
  throw new StoreError(
    5107201,
    `invalid argument to $limit stage: Expected a positive integer in: $limit: ${shellText(spec)}`,
  );
}
