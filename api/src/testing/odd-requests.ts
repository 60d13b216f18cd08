import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from './random.ts';

export interface OddRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string | FormData;
}

interface Schema {
  $ref?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  minimum?: number;
  maximum?: number;
}

interface Call {
  parameters?: { name: string; in: string; schema: Schema }[];
  /** Without a schema, the body is bytes. */
  requestBody?: { content: Record<string, { schema?: Schema }> };
}

/** Values that no field expects, or only just. */
const odd: unknown[] = [
  ...[null, '', ' ', '\0', '\ud800', 'a\0b', '\u202e', '٣', '😀'.repeat(3000), 'x'.repeat(70_000)],
  ...[0, -1, 1.5, 1e308, 2 ** 53, true, [], {}, [[]], { $gt: '' }, { $where: '1' }],
  ...['__proto__', 'constructor', '../../etc/passwd', '%00', '%E0%A4%A', 'x\r\nX: y', '<script>'],
  ...['9999-99-99', '0000-01-01', '+275760-09-13', '2026-02-30', 'Etc/Nowhere', 'user:1'],
];

/** Ends the session, or takes as long as the client listens. */
const isLeftOut = (call: string) =>
  /^(?:POST \/admin\/(?:logout|password)|DELETE \/admin\/(?:account|sessions)|GET \S+\/events)$/.test(call);

/**
 * Requests to every call of the API description whose parts follow their schema, except that some are odd. Ids are mostly
 * those of `ids`, whoever they belong to; other texts are of `words`.
 */
export function createOddRequests(random: Random, { ids, words }: { ids: string[]; words: string[] }) {
  const description = JSON.parse(readFileSync(join(import.meta.dirname, '../../openapi.json'), 'utf8'));
  const { int, pick, chance } = random;
  let share = 0;

  const resolved = (schema: Schema): Schema =>
    schema.$ref
      ? schema.$ref
          .split('/')
          .slice(1)
          .reduce((part, name) => part[name], description)
      : schema;

  function oddValueOf(unresolved: Schema, depth = 0): unknown {
    if (chance(share)) return pick(odd);
    const schema = resolved(unresolved);
    const { anyOf, oneOf, allOf, properties, required = [], items, minimum = -1, maximum = 9e15 } = schema;
    if ('const' in schema) return schema.const;
    if (schema.enum) return pick(schema.enum);
    const either = anyOf ?? oneOf;
    if (either) return oddValueOf(pick(either), depth);
    if (allOf) return Object.assign({}, ...allOf.map((part) => oddValueOf(part, depth)));
    const type = Array.isArray(schema.type) ? pick(schema.type) : schema.type;
    if (type === 'object') {
      const fields = Object.entries(properties ?? {}).filter(([name]) =>
        chance(required.includes(name) ? 0.95 : 0.5),
      );
      return Object.fromEntries(fields.map(([name, field]) => [name, oddValueOf(field, depth + 1)]));
    }
    if (type === 'array')
      return Array.from({ length: depth > 6 || !items ? 0 : int(4) }, () => oddValueOf(items!, depth + 1));
    if (type === 'integer' || type === 'number') return pick([0, 1, 5, minimum, maximum]);
    if (type === 'boolean') return chance(0.5);
    return type === 'null' ? null : pick([pick(ids), pick(words)]);
  }

  const textOf = (value: unknown) =>
    (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 3000).toWellFormed();

  function bodyOf(type: string, schema: Schema): Pick<OddRequest, 'body' | 'headers'> {
    if (type !== 'multipart/form-data') {
      const json = JSON.stringify(oddValueOf(schema));
      const body = pick([json, json, json, json.slice(0, -1), '['.repeat(5000)]);
      return { body: share === 0 ? json : body, headers: { 'content-type': type.replace('*', 'png') } };
    }
    const form = new FormData();
    for (const name of Object.keys(resolved(schema).properties ?? {})) {
      const isFile = name.startsWith('file');
      const bytes = pick(['text', '%PDF-1.4', 'PK\u0003\u0004', '', '{"a":1}', '<html>']);
      if (isFile) form.append(name, new Blob([bytes]), textOf(pick(odd)).slice(0, 200));
      else form.append(name, textOf(oddValueOf({ type: 'string' })));
    }
    return { body: form, headers: {} };
  }

  function requestOf(method: string, template: string, { parameters = [], requestBody }: Call): OddRequest {
    share = pick([0, 0.02, 0.15]);
    const path = template.replace(/\{\w+\}/g, () => {
      const id = chance(0.9) ? pick(ids) : textOf(pick(odd)).slice(0, 300);
      return encodeURIComponent(id) || 'x';
    });
    const query = new URLSearchParams(
      parameters
        .filter((one) => one.in === 'query' && chance(0.6))
        .map(({ name, schema }): [string, string] => [name, textOf(oddValueOf(schema))]),
    );
    const [[type = '', content] = []] = Object.entries(requestBody?.content ?? {});
    const { body, headers } = content ? bodyOf(type, content.schema ?? {}) : { headers: {} };
    if (chance(0.1)) Object.assign(headers, { range: 'bytes=5-2,-', 'accept-language': 'x'.repeat(200) });
    return { method, path: query.size > 0 ? `${path}?${query}` : path, headers, ...(body ? { body } : {}) };
  }

  const calls = Object.entries<Record<string, Call>>(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, call]) => ({ method: method.toUpperCase(), path, call })),
  );
  /** One to every call. */
  return () =>
    calls
      .filter(({ method, path }) => !isLeftOut(`${method} ${path}`))
      .map(({ method, path, call }) => requestOf(method, path, call));
}
