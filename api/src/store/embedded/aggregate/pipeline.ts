import { Int32 } from 'bson';
import { encode } from '../bson/codec.ts';
import { type Doc, isDoc, isNum, kindOf, type Value } from '../bson/values.ts';
import { StoreError } from '../errors.ts';
import { fieldName } from '../query/field-path.ts';
import { compileFilter } from '../query/matcher.ts';
import { parseSort, sortKeyOf } from '../storage/index-keys.ts';
import { mapped, type Source, sliced, sorted } from '../storage/sources.ts';
import { group } from './group.ts';
import {
  compileAddFields,
  compileProject,
  compileReplaceRoot,
  compileUnset,
  compileUnwind,
} from './shape.ts';

/** One stage: its name and what it was given. */
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

export function parseStages(pipeline: readonly Value[], isStrict: boolean): Stage[] {
  return pipeline.map((stage) => {
    if (!isDoc(stage)) throw new StoreError(14, "Each element of the 'pipeline' array must be an object");
    const [name, ...others] = Object.keys(stage);
    if (name === undefined || others.length > 0) {
      throw new StoreError(40323, 'A pipeline stage specification object must contain exactly one field.');
    }
    if (isStrict && UNSTABLE.has(name)) {
      throw new StoreError(323, `stage ${name} is not allowed with 'apiStrict: true' in API Version 1`);
    }
    if (!Object.hasOwn(STAGES, name))
      throw new StoreError(40324, `Unrecognized pipeline stage name: '${name}'`);
    return { name, spec: stage[name] as Value };
  });
}

/** Throws what the stages would throw when they run, so that other code can rely on their form. */
export function checkStages(stages: readonly Stage[]): void {
  runStages({ pull: () => undefined }, stages);
}

/** Runs stages one behind the other, each pulling from the one before. */
export function runStages(source: Source<Doc>, stages: readonly Stage[]): Source<Doc> {
  return stages.reduce((before, { name, spec }) => (STAGES[name] as StageRunner)(before, spec), source);
}

type StageRunner = (source: Source<Doc>, spec: Value) => Source<Doc>;

const STAGES: Record<string, StageRunner> = {
  $match: (source, spec) => {
    const match = compileFilter(matchOf(spec));
    return { pull: () => source.pull()?.filter(match) };
  },
  $sort: (source, spec) => {
    const fields = sortOf(spec);
    return sorted(
      source,
      (doc) => sortKeyOf(doc, fields),
      (doc) => encode(doc).length,
      0,
    );
  },
  $limit: (source, spec) => sliced(source, 0, limitOf(spec)),
  $skip: (source, spec) => sliced(source, skipOf(spec), 0),
  $group: group,
  $project: (source, spec) => mapped(source, compileProject(spec)),
  $addFields: (source, spec) => mapped(source, compileAddFields(spec)),
  $set: (source, spec) => mapped(source, compileAddFields(spec)),
  $unset: (source, spec) => mapped(source, compileUnset(spec)),
  $replaceRoot: (source, spec) => mapped(source, compileReplaceRoot(spec)),
  $unwind: (source, spec) => {
    const unwind = compileUnwind(spec);
    return { pull: () => source.pull()?.flatMap(unwind) };
  },
  $count: count,
  $facet: facet,
};

export function matchOf(spec: Value): Doc {
  if (isDoc(spec)) return spec;
  throw new StoreError(15959, 'the match filter must be an expression in an object');
}

export function sortOf(spec: Value) {
  if (!isDoc(spec)) throw new StoreError(15973, 'the $sort key specification must be an object');
  if (Object.keys(spec).length === 0)
    throw new StoreError(15976, '$sort stage must have at least one sort key');
  return parseSort(spec);
}

export function limitOf(spec: Value): number {
  const limit = wholeNumber(spec, '$limit');
  if (limit <= 0) throw new StoreError(15958, 'the limit must be positive');
  return limit;
}

export function skipOf(spec: Value): number {
  const skip = wholeNumber(spec, '$skip');
  if (skip < 0)
    throw new StoreError(
      5107200,
      `invalid argument to $skip stage: Expected a non-negative number in: $skip: ${skip}`,
    );
  return skip;
}

function wholeNumber(spec: Value, stage: string): number {
  if (isNum(spec) && Number.isInteger(Number(spec))) return Number(spec);
  throw new StoreError(
    stage === '$skip' ? 5107200 : 5107201,
    `invalid argument to ${stage} stage: Expected an integer in: ${stage}: ${kindOf(spec)}`,
  );
}

/** The field that a `$count` answers in. */
export function countName(spec: Value): string {
  if (typeof spec !== 'string') throw new StoreError(40156, 'the count field must be a non-empty string');
  if (spec === '') throw new StoreError(40157, 'the count field must be a non-empty string');
  if (spec.includes('\0')) throw new StoreError(40159, 'the count field cannot contain a null byte');
  if (spec.startsWith('$')) throw new StoreError(40158, 'the count field cannot be a $-prefixed path');
  if (spec.includes('.')) throw new StoreError(40160, "the count field cannot contain '.'");
  return spec;
}

function count(source: Source<Doc>, spec: Value): Source<Doc> {
  const name = countName(spec);
  let n = 0;
  let done = false;
  return {
    pull() {
      if (done) return undefined;
      const docs = source.pull();
      if (docs) {
        n += docs.length;
        return [];
      }
      done = true;
      return n === 0 ? [] : [{ [name]: new Int32(n) }];
    },
  };
}

/** Each of its pipelines gets all documents. */
function facet(source: Source<Doc>, spec: Value): Source<Doc> {
  if (!isDoc(spec) || Object.keys(spec).length === 0) {
    throw new StoreError(40169, 'the $facet specification must be a non-empty object');
  }
  const facets = Object.entries(spec).map(([name, stages]) => {
    if (!Array.isArray(stages))
      throw new StoreError(40170, `arguments to $facet must be arrays, ${name} is ${kindOf(stages)}`);
    fieldName(name);
    for (const stage of stages) {
      if (isDoc(stage) && Object.keys(stage).length > 0) continue;
      throw new StoreError(40171, 'elements of arrays in $facet spec must be non-empty objects');
    }
    const parsed = parseStages(stages, false);
    if (parsed.some((stage) => stage.name === '$facet')) {
      throw new StoreError(40600, '$facet is not allowed to be used within a $facet stage');
    }
    const waiting: Doc[][] = [];
    const input: Source<Doc> = { pull: () => waiting.shift() };
    return { name, waiting, output: runStages(input, parsed) };
  });
  let done = false;
  return {
    pull() {
      if (done) return undefined;
      const docs = source.pull();
      if (docs) {
        for (const { waiting } of facets) waiting.push(docs);
        return [];
      }
      done = true;
      return [Object.fromEntries(facets.map(({ name, output }) => [name, drain(output)]))];
    },
  };
}

function drain(source: Source<Doc>): Doc[] {
  const docs: Doc[] = [];
  for (let page = source.pull(); page; page = source.pull()) docs.push(...page);
  return docs;
}
