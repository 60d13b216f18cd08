import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

/** An operation in the log of a mongod that logs each of them, see `logsQueries` of start-mongod.ts. */
interface LoggedOperation {
  ns: string;
  command: Record<string, unknown>;
  planSummary?: string;
  keysExamined?: number;
  docsExamined?: number;
  hasSortStage?: boolean;
  nreturned?: number;
  nMatched?: number;
  ndeleted?: number;
}

interface Index {
  collection: string;
  /** Its fields with their directions. */
  key: [string, unknown][];
  /** The fields that a query must name to use it. */
  only: string[];
}

/** Documents or keys that an operation may read in addition to `perResult` for each result. */
const fewRead = 200;
const perResult = 10;

/** What may be read without an index, or sorted: shapes without their plan. */
const allowed = [
  // A few documents for each desk.
  /^find (jobs: lease|ops_tokens: scopes|previews: |desk_days: |golden_questions: )/,
  /^aggregate (collections|golden_questions|groups): {2}\$group/,
  /^(aggregate|q) collections: editors\.people/,
  // Once for each store, in slices: the first slice of an empty store has no range.
  /^find records: erasedBy, terms\.\$nin/,
  /^q records: (why\.\$ne, hasWhy|isInInbox, audience)\.\$exists/,
  // GridFS: the driver sorts the revisions of a name, of which there is one.
  /^find files\.files: filename/,
];

/**
 * Operations of the desk that read a collection without an index, sort in memory, or read far more than they return,
 * one line for each shape.
 */
export async function findBadPlans(logFile: string): Promise<string[]> {
  const found = new Map<string, number>();
  const indexes = new Map<string, Index>();
  for await (const logged of createInterface({ input: createReadStream(logFile) })) {
    const operation = operationIn(logged);
    if (!operation) continue;
    for (const index of indexesIn(operation)) indexes.set(JSON.stringify(index), index);
    const fault = faultOf(operation, indexes.values());
    if (!fault) continue;
    const shape = shapeOf(operation);
    if (allowed.some((one) => one.test(shape))) continue;
    const line = `${fault}: ${shape}; ${operation.planSummary}`;
    found.set(line, (found.get(line) ?? 0) + 1);
  }
  return [...found].map(([line, count]) => `${line} (${count} times)`).sort();
}

function operationIn(line: string): LoggedOperation | undefined {
  // The server may be writing the last line.
  if (!line.includes('"Slow query"') || !line.endsWith('}')) return undefined;
  const { attr } = JSON.parse(line) as { attr: LoggedOperation };
  const isOfDesk = !/^(admin|local|config)\.|\.system\./.test(attr.ns);
  return isOfDesk ? attr : undefined;
}

/** Created by the operation. */
function indexesIn({ command }: LoggedOperation): Index[] {
  const { createIndexes: collection, indexes = [] } = command as {
    createIndexes?: string;
    indexes?: { key?: Record<string, unknown>; partialFilterExpression?: object }[];
  };
  if (collection === undefined) return [];
  return indexes.map(({ key = {}, partialFilterExpression = {} }) => ({
    collection,
    key: Object.entries(key),
    only: Object.keys(partialFilterExpression),
  }));
}

function faultOf(operation: LoggedOperation, indexes: Iterable<Index>): string | undefined {
  if (operation.planSummary === undefined || operation.ns.includes('.$cmd')) return undefined;
  const { planSummary = '', keysExamined = 0, docsExamined = 0, hasSortStage } = operation;
  const results = Math.max(operation.nreturned ?? 0, operation.nMatched ?? 0, operation.ndeleted ?? 0);
  if (planSummary.includes('COLLSCAN')) return 'no index';
  if (hasSortStage && ![...indexes].some((index) => hasOrder(index, operation))) return 'sorted in memory';
  if (Math.max(keysExamined, docsExamined) > fewRead + perResult * results) return 'reads too much';
  return undefined;
}

/**
 * Whether an index has the order that an operation asks for. The planner may still prefer to sort in memory: of few documents it reads
 * fewer keys like this.
 */
function hasOrder({ collection, key, only }: Index, operation: LoggedOperation): boolean {
  const { filter, sort } = partsOf(operation);
  const fixed = new Set(equalIn(filter));
  const wanted = Object.entries(sort).filter(([field]) => !fixed.has(field));
  if (collection !== collectionOf(operation) || !only.every((field) => field in filter)) return false;
  /** Whether the index is read backwards. */
  const turns = new Set<boolean>();
  for (const [field, direction] of key) {
    const [next] = wanted;
    if (next?.[0] === field) {
      turns.add(next[1] !== direction);
      wanted.shift();
    } else if (!fixed.has(field)) break;
  }
  return wanted.length === 0 && turns.size < 2;
}

/** Fields of which an operation asks for single values, between which an index has its further fields in order. */
function equalIn(filter: Record<string, unknown>): string[] {
  return Object.entries(filter).flatMap(([field, condition]) => {
    if (field === '$and') return (condition as Record<string, unknown>[]).flatMap(equalIn);
    const [operator = ''] = Object.keys(condition ?? {});
    const isSingle = typeof condition !== 'object' || !/^\$(?!eq|in|all|oid|date)/.test(operator);
    return isSingle ? [field] : [];
  });
}

const collectionOf = ({ ns }: LoggedOperation) => ns.slice(ns.indexOf('.') + 1);

/** Of an aggregation, what its first stages select and sort. */
function partsOf({ command }: LoggedOperation) {
  const stages = (command.pipeline ?? []) as Record<string, Record<string, unknown>>[];
  return {
    filter: (command.filter ?? command.query ?? command.q ?? stages[0]?.$match ?? {}) as Record<
      string,
      unknown
    >,
    sort: (command.sort ?? stages[1]?.$sort ?? {}) as Record<string, unknown>,
    rest: stages.slice(1).map((stage) => Object.keys(stage)[0]),
  };
}

/** `find records: owner, terms.$all, sort createdAt`, without the name of the database. */
function shapeOf(operation: LoggedOperation): string {
  const [name = ''] = Object.keys(operation.command);
  const { filter, rest } = partsOf(operation);
  const sort = operation.command.sort ? `, sort ${Object.keys(operation.command.sort)}` : '';
  return `${name} ${collectionOf(operation)}: ${keysOf(filter).join(', ')}${sort}${rest.map((stage) => ` ${stage}`).join('')}`;
}

function keysOf(filter: unknown, path = ''): string[] {
  if (typeof filter !== 'object' || filter === null || Array.isArray(filter)) return [path];
  const keys = Object.entries(filter);
  const isPlain = keys.length > 0 && keys.every(([key]) => /^[$\w.]+$/.test(key));
  return isPlain && !keys.some(([key]) => key === '$oid' || key === '$date')
    ? keys.flatMap(([key, value]) => keysOf(value, path ? `${path}.${key}` : key))
    : [path];
}
