import { isEndpoint, isKey, withoutSlash } from './configured-models.ts';

/** An OpenAI-compatible endpoint for embeddings. */
export interface ConfiguredEmbeddings {
  /** Without a trailing slash; `/embeddings` is appended. */
  baseUrl: string;
  /** Name of the model at the endpoint. */
  model: string;
  /** '' if the endpoint requires none. */
  apiKey: string;
  /** Text that the model expects before a question and before a passage; '' for none. */
  queryPrefix: string;
  passagePrefix: string;
  /** Timeout in ms after which a question is answered without its vector. */
  timeoutMs: number;
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
    {
      query: 'Instruct: Given a question, retrieve passages that answer the question\nQuery: ',
      passage: '',
    },
  ],
];

/**
 * The embeddings configured in the environment; null without EMBEDDINGS_BASE_URL. Errors are added to
 * `problems`, without the key.
 */
export function readEmbeddings(
  env: Record<string, string | undefined>,
  problems: string[],
): ConfiguredEmbeddings | null {
  const baseUrl = env.EMBEDDINGS_BASE_URL?.trim() ?? '';
  const model = env.EMBEDDINGS_MODEL?.trim() ?? '';
  const apiKey = env.EMBEDDINGS_API_KEY?.trim() ?? '';
  if (baseUrl === '' && model === '') return null;
  if (!isEndpoint(baseUrl))
    problems.push(
      'EMBEDDINGS_BASE_URL must be an http:// or https:// address without user name, password or query if EMBEDDINGS_MODEL is set',
    );
  if (model === '' || model.length > 200)
    problems.push('EMBEDDINGS_MODEL must be text of 1–200 characters if EMBEDDINGS_BASE_URL is set');
  if (!isKey(apiKey))
    problems.push(
      `EMBEDDINGS_API_KEY must be printable ASCII without blanks, got a value of ${apiKey.length} characters`,
    );
  const known = knownPrefixes.find(([name]) => name.test(model))?.[1] ?? { query: '', passage: '' };
  return {
    baseUrl: withoutSlash(baseUrl),
    model,
    apiKey,
    queryPrefix: readPrefix(env.EMBEDDINGS_QUERY_PREFIX, known.query),
    passagePrefix: readPrefix(env.EMBEDDINGS_PASSAGE_PREFIX, known.passage),
    timeoutMs: readTimeout(env.EMBEDDINGS_TIMEOUT_MS, problems),
  };
}

/** One blank is appended to a prefix; `none` disables it. */
function readPrefix(given: string | undefined, known: string): string {
  const prefix = given?.trim() ?? '';
  if (prefix === '') return known;
  return prefix === 'none' ? '' : `${prefix} `;
}

const usualTimeout = 300;

function readTimeout(given: string | undefined, problems: string[]): number {
  const value = given?.trim() ?? '';
  if (value === '') return usualTimeout;
  const ms = /^\d{1,5}$/.test(value) ? Number(value) : 0;
  if (ms >= 10 && ms <= 10_000) return ms;
  problems.push(`EMBEDDINGS_TIMEOUT_MS must be 10–10000, got ${JSON.stringify(value.slice(0, 40))}`);
  return usualTimeout;
}
