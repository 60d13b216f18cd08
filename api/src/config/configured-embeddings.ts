import { type ConfiguredEndpoint, keyText, modelName, readEndpoint } from './configured-endpoint.ts';
import { endpoint, uncheckedText, type ValuesOf, type Variable, variable, wholeNumber } from './variable.ts';

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
    {
      query: 'Instruct: Given a question, retrieve passages that answer the question\nQuery: ',
      passage: '',
    },
  ],
];

const prefix: Variable<string | null> = { ...uncheckedText('text or none'), shownDefault: 'by model' };

export const embeddingVariables = {
  baseUrl: variable(
    'EMBEDDINGS_BASE_URL',
    endpoint,
    'An OpenAI-compatible endpoint for embeddings: passages are found and ranked by its vectors.',
  ),
  model: variable('EMBEDDINGS_MODEL', modelName, 'Its model.'),
  apiKey: variable('EMBEDDINGS_API_KEY', keyText, 'Its key, if it requires one.'),
  queryPrefix: variable(
    'EMBEDDINGS_QUERY_PREFIX',
    prefix,
    'Text that the model expects before a question, such as `query:` for e5.',
  ),
  passagePrefix: variable(
    'EMBEDDINGS_PASSAGE_PREFIX',
    prefix,
    'Text that the model expects before a passage.',
  ),
  timeoutMs: variable(
    'EMBEDDINGS_TIMEOUT_MS',
    wholeNumber(10, 10_000, 300),
    'Milliseconds after which a question is answered without its embedding.',
  ),
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
