import { z } from 'zod';
import { ErrorBody } from '../../contract/error-body.ts';
import type { Access, Operation } from '../../contract/operation.ts';
import { operations } from '../../contract/operations.ts';
import type { Contract, ContractType } from './read-contract.ts';
import summaries from './summaries.json' with { type: 'json' };

export type Json = { [key: string]: unknown };

/** The OpenAPI 3.1 description of every operation, with the schemas and comments of the contract. */
export function describeApi(contract: Contract, version: string): Json {
  const { sent, received, components } = schemasOf(contract);
  const paths: Record<string, Json> = {};
  for (const [call, operation] of Object.entries(operations)) {
    const [method = '', path = ''] = call.split(' ');
    const name = path.replace(/:(\w+)/g, '{$1}');
    const described = { summary: summaryOf(call), ...describe(operation, name, { sent, received }) };
    paths[name] = { ...paths[name], [method.toLowerCase()]: described };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Consultation desk',
      version,
      description:
        'Times are ISO 8601 in UTC, ids are opaque strings, lengths are in UTF-16 units. Guests are known by a cookie; a request that changes something ' +
        'sends the cookie XSRF-TOKEN as the header X-XSRF-TOKEN as well.',
    },
    paths,
    components: {
      schemas: withoutUnused(components, paths),
      securitySchemes: {
        account: { type: 'http', scheme: 'bearer' },
        token: { type: 'http', scheme: 'bearer', description: 'A token of operations.' },
        guest: { type: 'apiKey', in: 'cookie', name: 'desk_guest' },
      },
    },
  };
}

/** @throws Error unless summaries.json has the call. */
function summaryOf(call: string): string {
  const summary = (summaries as Record<string, string>)[call];
  if (!summary) throw new Error(`summaries.json has no summary of ${call}`);
  return summary;
}

interface Schemas {
  sent(schema: z.ZodType): Json;
  received(schema: z.ZodType): Json;
}

function describe(operation: Operation, path: string, { sent, received }: Schemas): Json {
  const { access, query, body, files, replies, events } = operation;
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const asked = query ? sent(query) : {};
  const required = (asked.required ?? []) as string[];
  const inQuery = Object.entries((asked.properties ?? {}) as Json).map(([name, schema]) => ({
    name,
    in: 'query',
    ...(required.includes(name) && { required: true }),
    schema,
  }));
  const parameters = [...inPath, ...inQuery];
  const stream = events && { 'text/event-stream': { schema: received(events) } };
  const answers = Object.entries(Object.keys(replies).length > 0 ? replies : { 200: null });
  const callers = callersOf(access);
  return {
    ...(callers.length > 0 && { security: callers.map((scheme) => ({ [scheme]: [] })) }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { content: contentOf(body, sent, files) } }),
    responses: {
      ...Object.fromEntries(
        answers.map(([status, reply]) => {
          const content = { ...(reply && contentOf(reply, received)), ...(status === '200' && stream) };
          const description = status === '304' ? 'Not modified' : 'Success';
          return [status, { description, ...(Object.keys(content).length > 0 && { content }) }];
        }),
      ),
      default: { description: 'Refused or failed', content: contentOf(ErrorBody, received) },
    },
  };
}

/** The security schemes of which one is required; none: not even a guest's cookie. */
function callersOf(access: Access): string[] {
  if (access === 'anyone' || access === 'link') return [];
  if (access === 'reader') return ['account', 'token'];
  if (access === 'token') return ['token'];
  return access === 'ask' ? ['account', 'guest'] : ['account'];
}

function contentOf(body: z.ZodType | string, toJson: (schema: z.ZodType) => Json, files?: number): Json {
  if (typeof body === 'string') return { [body]: {} };
  if (files === undefined) return { 'application/json': { schema: toJson(body) } };
  const file = { type: 'array', items: { type: 'string', format: 'binary' }, minItems: 1, maxItems: files };
  const form = { type: 'object', properties: { file }, required: ['file'] };
  return { 'multipart/form-data': { schema: { allOf: [toJson(body), form] } } };
}

/**
 * A type has one component, in the form in which it is sent or received. If what is sent contains a type whose sent form
 * differs, because of a default for example, that one is a component of its own: `DeskSettingsSent`.
 */
function schemasOf(contract: Contract): Schemas & { components: Record<string, Json> } {
  const byName = new Map(contract.types.map((type) => [type.name, type]));
  const plain = contract.types.filter(({ parameter }) => !parameter);
  const forms = { input: convert(plain, contract, 'input'), output: convert(plain, contract, 'output') };
  const differing = new Set(
    plain
      .filter(
        ({ name, isInput }) =>
          !isInput && JSON.stringify(forms.input[name]) !== JSON.stringify(forms.output[name]),
      )
      .map(({ name }) => name),
  );
  for (let size = -1; size !== differing.size; ) {
    size = differing.size;
    for (const { name, isInput } of plain)
      if (!isInput && refsIn(forms.input[name]).some((ref) => differing.has(ref))) differing.add(name);
  }
  const sentName = (name: string) => (differing.has(name) ? `${name}Sent` : name);
  const components: Record<string, Json> = {};
  for (const { name, isInput } of plain) {
    components[sentName(name)] = renamed(forms.input[name], sentName) as Json;
    if (!isInput) components[name] = forms.output[name] as Json;
  }
  const inline = (schema: z.ZodType, io: 'input' | 'output'): Json => {
    const named = contract.named.get(schema);
    if (named && !named.parameter) return { $ref: `${PLACE}${named.name}` };
    const type: ContractType = { name: INLINE, file: '', schema, isInput: io === 'input', doc: '' };
    return convert([...plain, type], contract, io)[INLINE] as Json;
  };
  return {
    components,
    sent: (schema) => renamed(inline(schema, 'input'), sentName) as Json,
    received(schema) {
      const json = inline(schema, 'output');
      const wrong = refsIn(json).find((name) => byName.get(name)?.isInput);
      if (wrong) throw new Error(`${wrong} is a type of requests and cannot be received`);
      return json;
    },
  };
}

const PLACE = '#/components/schemas/';
const INLINE = 'inline';

function convert(types: readonly ContractType[], contract: Contract, io: 'input' | 'output'): Json {
  const registry = z.registry<{ id: string }>();
  for (const { schema, name } of types) registry.add(schema, { id: name });
  const { schemas } = z.toJSONSchema(registry, {
    io,
    unrepresentable: 'any',
    uri: (id) => `${PLACE}${id}`,
    override({ zodSchema, jsonSchema }) {
      const { def } = zodSchema._zod as unknown as { def: { type: string; catchall?: unknown } };
      // Clients ignore fields that they do not know, which later versions add.
      if (def.type === 'object' && !(io === 'input' && def.catchall)) delete jsonSchema.additionalProperties;
    },
  });
  return Object.fromEntries(
    types.map((type) => {
      const { $schema: _, $id: __, id: ___, ...json } = schemas[type.name] as Json;
      addComments(json, type, contract);
      return [type.name, type.doc ? { description: type.doc, ...json } : json];
    }),
  );
}

function addComments(json: Json, type: ContractType, contract: Contract, path: string[] = []): void {
  const parts = [json.items, json.additionalProperties, json.anyOf, json.oneOf, json.allOf];
  for (const part of parts.flat())
    if (part && typeof part === 'object') addComments(part as Json, type, contract, path);
  for (const [key, field] of Object.entries((json.properties ?? {}) as Record<string, Json>)) {
    const at = [...path, key];
    const doc = contract.docOf(type, at.join('.'), path.length === 0 ? type.schema : undefined);
    if (doc) field.description = doc;
    addComments(field, type, contract, at);
  }
}

function refsIn(json: unknown): string[] {
  const found = JSON.stringify(json ?? null).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g);
  return [...found].map(([, name = '']) => name);
}

function renamed(json: unknown, rename: (name: string) => string): unknown {
  const text = JSON.stringify(json).replace(
    /"\$ref":"(#\/components\/schemas\/)(\w+)"/g,
    (_, place: string, name: string) => `"$ref":"${place}${rename(name)}"`,
  );
  return JSON.parse(text);
}

function withoutUnused(components: Record<string, Json>, paths: unknown): Record<string, Json> {
  const used = new Set<string>();
  const waiting = refsIn(paths);
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (used.has(name)) continue;
    used.add(name);
    waiting.push(...refsIn(components[name]));
  }
  return Object.fromEntries([...used].sort().map((name) => [name, components[name] ?? {}]));
}
