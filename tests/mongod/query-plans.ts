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

/** Documents or keys that an operation may read in addition to `perResult` for each result. */
const fewRead = 200;
const perResult = 10;
/** Documents that the planner may prefer to sort in memory, although an index has their order: of few it reads fewer keys like this. */
const fewSorted = 50;

/** What may be read without an index, or sorted: shapes without their plan. */
const allowed = [
  // A few documents for each desk.
  /^find (jobs: lease|ops_tokens: scopes|previews: |desk_days: |golden_questions: )/,
  /^aggregate (collections|golden_questions|groups): {2}\$group/,
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
  for await (const logged of createInterface({ input: createReadStream(logFile) })) {
    const operation = operationIn(logged);
    const fault = operation && faultOf(operation);
    if (!fault) continue;
    const shape = shapeOf(operation);
    if (allowed.some((one) => one.test(shape))) continue;
    const line = `${fault}: ${shape}; ${operation.planSummary}`;
    found.set(line, (found.get(line) ?? 0) + 1);
  }
  return [...found].map(([line, count]) => `${line} (${count} times)`).sort();
}

function operationIn(line: string): LoggedOperation | undefined {
  if (!line.includes('"Slow query"')) return undefined;
  const { attr } = JSON.parse(line) as { attr: LoggedOperation };
  const isOfDesk = !/^(admin|local|config)\.|\.(system\.|\$cmd)/.test(attr.ns);
  return isOfDesk && attr.planSummary !== undefined ? attr : undefined;
}

function faultOf(operation: LoggedOperation): string | undefined {
  const { planSummary = '', keysExamined = 0, docsExamined = 0, hasSortStage } = operation;
  const results = Math.max(operation.nreturned ?? 0, operation.nMatched ?? 0, operation.ndeleted ?? 0);
  if (planSummary.includes('COLLSCAN')) return 'no index';
  if (hasSortStage && docsExamined > fewSorted) return 'sorted in memory';
  if (Math.max(keysExamined, docsExamined) > fewRead + perResult * results) return 'reads too much';
  return undefined;
}

/** `find records: owner, terms.$all, sort createdAt`, without the name of the database. */
function shapeOf({ ns, command }: LoggedOperation): string {
  const [name = ''] = Object.keys(command);
  const stages = (command.pipeline ?? []) as Record<string, unknown>[];
  const filter = command.filter ?? command.query ?? command.q ?? stages[0]?.$match ?? {};
  const then = stages.slice(1).map((stage) => Object.keys(stage)[0]);
  const sort = command.sort ? `, sort ${Object.keys(command.sort as object)}` : '';
  const collection = ns.slice(ns.indexOf('.') + 1);
  return `${name} ${collection}: ${keysOf(filter).join(', ')}${sort}${then.map((stage) => ` ${stage}`).join('')}`;
}

function keysOf(filter: unknown, path = ''): string[] {
  if (typeof filter !== 'object' || filter === null || Array.isArray(filter)) return [path];
  const keys = Object.entries(filter);
  const isPlain = keys.length > 0 && keys.every(([key]) => /^[$\w.]+$/.test(key));
  return isPlain && !keys.some(([key]) => key === '$oid' || key === '$date')
    ? keys.flatMap(([key, value]) => keysOf(value, path ? `${path}.${key}` : key))
    : [path];
}
