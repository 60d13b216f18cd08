import type { Json } from './describe-api.ts';

/** One difference between two descriptions; breaking if a caller written for the first one may fail. */
export interface ApiChange {
  /** `POST /api/chat, request: text`. */
  place: string;
  what: string;
  isBreaking: boolean;
}

type Direction = 'request' | 'response';

/** Lists the changes between two OpenAPI descriptions. Comments and summaries are ignored. */
export function compareApis(before: Json, after: Json): ApiChange[] {
  const changes: ApiChange[] = [];
  const note = (place: string, what: string, isBreaking: boolean) =>
    changes.push({ place, what, isBreaking });
  const old = operationsOf(before);
  const now = operationsOf(after);
  for (const [call, operation] of old) {
    const other = now.get(call);
    if (!other) note(call, 'removed', true);
    else compareOperations(operation, other, call);
  }
  for (const call of now.keys()) if (!old.has(call)) note(call, 'added', false);
  return changes;

  function compareOperations(a: Json, b: Json, call: string): void {
    compareFields(parametersOf(a), parametersOf(b), `${call}, query`, 'request', new Set());
    compareContents(a.requestBody, b.requestBody, `${call}, request`, 'request');
    const [replies, others] = [a.responses, b.responses] as Record<string, Json>[];
    for (const [status, reply] of Object.entries(replies ?? {})) {
      const other = others?.[status];
      if (!other) note(`${call}, response`, `status ${status} removed`, true);
      else compareContents(reply, other, `${call}, response ${status}`, 'response');
    }
    for (const status of Object.keys(others ?? {}))
      if (!replies?.[status]) note(`${call}, response`, `status ${status} added`, false);
  }

  function compareContents(a: unknown, b: unknown, place: string, direction: Direction): void {
    const old = ((a as Json | undefined)?.content ?? {}) as Record<string, { schema?: Json }>;
    const now = ((b as Json | undefined)?.content ?? {}) as Record<string, { schema?: Json }>;
    for (const [type, { schema }] of Object.entries(old)) {
      if (!now[type]) note(place, `${type} removed`, true);
      else compare(schema ?? {}, now[type].schema ?? {}, place, direction, new Set());
    }
    for (const type of Object.keys(now)) if (!old[type]) note(place, `${type} added`, false);
  }

  function compare(a: Json, b: Json, place: string, direction: Direction, seen: Set<string>): void {
    const pair = `${a.$ref} ${b.$ref}`;
    if (a.$ref && b.$ref && seen.has(pair)) return;
    const inside = new Set([...seen, pair]);
    const [old, now] = [resolve(a, before), resolve(b, after)];
    compareValues(typesOf(old), typesOf(now), place, 'type', direction);
    compareValues(valuesOf(old), valuesOf(now), place, 'value', direction);
    compareLimits(old, now, place, direction);
    compareFields(old, now, place, direction, inside);
    if (old.items || now.items)
      compare((old.items ?? {}) as Json, (now.items ?? {}) as Json, `${place}[]`, direction, inside);
    for (const key of ['anyOf', 'oneOf', 'allOf'] as const) {
      const [choices, others] = [(old[key] ?? []) as Json[], (now[key] ?? []) as Json[]];
      if (choices.length !== others.length) {
        const isNarrower = others.length < choices.length === (key !== 'allOf');
        note(
          place,
          `${key} has ${others.length} choices, not ${choices.length}`,
          isNarrower === (direction === 'request'),
        );
      } else
        for (const [at, choice] of choices.entries())
          compare(choice, others[at] ?? {}, place, direction, inside);
    }
    const [values, otherValues] = [old.additionalProperties, now.additionalProperties];
    if (isSchema(values) && isSchema(otherValues))
      compare(values, otherValues, `${place}{}`, direction, inside);
    else if (JSON.stringify(values) !== JSON.stringify(otherValues))
      note(place, 'further fields are treated differently', otherValues === false);
  }

  function compareFields(a: Json, b: Json, place: string, direction: Direction, seen: Set<string>): void {
    const [old, now] = [a.properties ?? {}, b.properties ?? {}] as Record<string, Json>[];
    const [needed, neededNow] = [a.required ?? [], b.required ?? []] as string[][];
    for (const [key, field] of Object.entries(old ?? {})) {
      const at = `${place}: ${key}`;
      const other = now?.[key];
      if (!other) note(at, 'removed', true);
      else compare(field, other, at, direction, seen);
      if (!other || needed?.includes(key) === neededNow?.includes(key)) continue;
      const isRequired = neededNow?.includes(key) ?? false;
      note(at, isRequired ? 'required now' : 'optional now', isRequired === (direction === 'request'));
    }
    for (const key of Object.keys(now ?? {})) {
      if (old?.[key]) continue;
      const isRequired = neededNow?.includes(key) ?? false;
      note(
        `${place}: ${key}`,
        isRequired ? 'added, required' : 'added',
        isRequired && direction === 'request',
      );
    }
  }

  /** Requests may accept more, and responses contain less; an empty list is any value. */
  function compareValues(a: unknown[], b: unknown[], place: string, kind: string, direction: Direction) {
    const [old, now] = [new Set(a), new Set(b)];
    const removed = a.filter((value) => !now.has(value));
    const added = b.filter((value) => !old.has(value));
    if (removed.length > 0)
      note(place, `${kind} ${removed.join(', ')} removed`, direction === 'request' && b.length > 0);
    if (added.length > 0)
      note(place, `${kind} ${added.join(', ')} added`, (direction === 'response') === a.length > 0);
    if (removed.length > 0 && b.length === 0 && direction === 'response')
      note(place, `any ${kind} is possible`, true);
  }

  function compareLimits(a: Json, b: Json, place: string, direction: Direction): void {
    for (const [key, sign] of LIMITS) {
      const [old, now] = [a[key], b[key]] as (number | undefined)[];
      if (old === now) continue;
      const isNarrower = now !== undefined && (old === undefined || (now - old) * sign > 0);
      note(place, `${key} ${now ?? 'removed'}, was ${old ?? 'none'}`, direction === 'request' && isNarrower);
    }
    for (const key of ['pattern', 'format'])
      if (a[key] !== b[key]) note(place, `${key} changed`, direction === 'request' && b[key] !== undefined);
  }
}

const LIMITS = [
  ['minLength', 1],
  ['minimum', 1],
  ['minItems', 1],
  ['maxLength', -1],
  ['maximum', -1],
  ['maxItems', -1],
] as const;

function operationsOf(api: Json): Map<string, Json> {
  const paths = Object.entries((api.paths ?? {}) as Record<string, Record<string, Json>>);
  return new Map(
    paths.flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation]),
    ),
  );
}

/** Parameters of the query as the fields of an object. */
function parametersOf(operation: Json): Json {
  const all = (operation.parameters ?? []) as {
    name: string;
    in: string;
    required?: boolean;
    schema: Json;
  }[];
  const inQuery = all.filter((parameter) => parameter.in === 'query');
  return {
    properties: Object.fromEntries(inQuery.map(({ name, schema }) => [name, schema])),
    required: inQuery.filter(({ required }) => required).map(({ name }) => name),
  };
}

function resolve(schema: Json, api: Json): Json {
  if (typeof schema.$ref !== 'string') return schema;
  const { schemas } = api.components as { schemas: Record<string, Json> };
  return resolve(schemas[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)] ?? {}, api);
}

function typesOf({ type }: Json): unknown[] {
  return type === undefined ? [] : [type].flat();
}

function valuesOf(schema: Json): unknown[] {
  return schema.const === undefined ? ((schema.enum ?? []) as unknown[]) : [schema.const];
}

function isSchema(value: unknown): value is Json {
  return typeof value === 'object' && value !== null;
}
