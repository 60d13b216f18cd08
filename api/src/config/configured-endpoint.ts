import { z } from 'zod';
import {
  endpoint,
  nullable,
  uncheckedText,
  type ValuesOf,
  type Variable,
  variable,
  wholeNumber,
} from './variable.ts';

/** A model at an endpoint. */
export interface ConfiguredEndpoint {
  /** Without a trailing slash; the path of the call is appended. */
  baseUrl: string;
  /** Name of the model at the endpoint. */
  model: string;
  /** '' if the endpoint requires none. */
  apiKey: string;
  /** Timeout in ms after which a question is answered without it. */
  timeoutMs: number;
}

/** Printable and without blanks: it is sent in a header, and errors about headers would quote it. */
export const Key = z
  .string()
  .max(4096)
  .regex(/^[\x21-\x7e]*$/);

/** Validated by `readKey`, since a key applies with an endpoint alone. */
export const keyText = uncheckedText('printable ASCII without blanks', true);

export const modelName: Variable<string | null> = {
  schema: nullable(z.string().max(200)),
  expected: 'text of 1–200 characters',
};

/** The endpoint of the variables that begin with `name`; null if neither its address nor its model is set. Errors are added to `problems`. */
export function readEndpoint(
  name: 'EMBEDDINGS' | 'RERANK',
  {
    baseUrl,
    model,
    apiKey,
    timeoutMs,
  }: Record<'baseUrl' | 'model' | 'apiKey', string | null> & { timeoutMs: number },
  problems: string[],
): ConfiguredEndpoint | null {
  if (!baseUrl && !model) return null;
  if (baseUrl === null)
    problems.push(`${name}_BASE_URL must be ${endpoint.expected} if ${name}_MODEL is set, got ""`);
  if (model === null)
    problems.push(`${name}_MODEL must be ${modelName.expected} if ${name}_BASE_URL is set, got ""`);
  const key = readKey(`${name}_API_KEY`, apiKey, problems);
  return { baseUrl: baseUrl ?? '', model: model ?? '', apiKey: key, timeoutMs };
}

/** The key, '' for none. It never appears in `problems`. */
export function readKey(name: string, given: string | null, problems: string[]): string {
  const key = given ?? '';
  if (!Key.safeParse(key).success)
    problems.push(`${name} must be ${keyText.expected}, got a value of ${key.length} characters`);
  return key;
}

/** An endpoint that rates how relevant passages are for a question. */
export type ConfiguredRerank = ConfiguredEndpoint;

export const rerankVariables = {
  baseUrl: variable('RERANK_BASE_URL', endpoint),
  model: variable('RERANK_MODEL', modelName),
  apiKey: variable('RERANK_API_KEY', keyText),
  timeoutMs: variable('RERANK_TIMEOUT_MS', wholeNumber(10, 10_000, 500)),
};

export function readRerank(
  values: ValuesOf<typeof rerankVariables>,
  problems: string[],
): ConfiguredRerank | null {
  return readEndpoint('RERANK', values, problems);
}

export interface ConfiguredEmbeddings extends ConfiguredEndpoint {
  /** Text that the model expects before a question and before a passage; '' for none. */
  queryPrefix: string;
  passagePrefix: string;
}

interface Prefixes {
  query: string;
  passage: string;
}

/** Prefixes by model name, as documented by the models' authors. The first match applies. */
const knownPrefixes: readonly [RegExp, Prefixes][] = [
  [/\be5\b|-e5-|e5-(?:small|base|large)/i, { query: 'query: ', passage: 'passage: ' }],
  [/nomic-embed/i, { query: 'search_query: ', passage: 'search_document: ' }],
  [/embedding-?gemma/i, { query: 'task: search result | query: ', passage: 'title: none | text: ' }],
  [/arctic-embed.*2/i, { query: 'query: ', passage: '' }],
  [
    /mxbai-embed|arctic-embed|bge-(?:small|base|large)-en/i,
    { query: 'Represent this sentence for searching relevant passages: ', passage: '' },
  ],
  [
    /qwen3-embedding/i,
    { query: 'Instruct: Given a question, retrieve passages that answer the question\nQuery: ', passage: '' },
  ],
];

const prefix: Variable<string | null> = { ...uncheckedText('text or none'), shownDefault: 'by model' };

export const embeddingVariables = {
  baseUrl: variable('EMBEDDINGS_BASE_URL', endpoint),
  model: variable('EMBEDDINGS_MODEL', modelName),
  apiKey: variable('EMBEDDINGS_API_KEY', keyText),
  queryPrefix: variable('EMBEDDINGS_QUERY_PREFIX', prefix),
  passagePrefix: variable('EMBEDDINGS_PASSAGE_PREFIX', prefix),
  timeoutMs: variable('EMBEDDINGS_TIMEOUT_MS', wholeNumber(10, 10_000, 300)),
};

/** null without EMBEDDINGS_BASE_URL. Errors are added to `problems`, without the key. */
export function readEmbeddings(
  values: ValuesOf<typeof embeddingVariables>,
  problems: string[],
): ConfiguredEmbeddings | null {
  const read = readEndpoint('EMBEDDINGS', values, problems);
  if (!read) return null;
  const known = knownPrefixes.find(([name]) => name.test(read.model))?.[1] ?? { query: '', passage: '' };
  return {
    ...read,
    queryPrefix: readPrefix(values.queryPrefix, known.query),
    passagePrefix: readPrefix(values.passagePrefix, known.passage),
  };
}

/** One blank is appended to a prefix; `none` disables it. */
function readPrefix(given: string | null, known: string): string {
  if (given === null) return known;
  return given === 'none' ? '' : `${given} `;
}
