import { modelName } from './configured-embeddings.ts';
import { isKey } from './configured-models.ts';
import { endpoint, uncheckedText, type ValuesOf, variable, wholeNumber } from './variable.ts';

/** An endpoint that rates how relevant passages are for a question. */
export interface ConfiguredRerank {
  /** Without a trailing slash; `/rerank` is appended. */
  baseUrl: string;
  /** Name of the model at the endpoint. */
  model: string;
  /** '' if the endpoint requires none. */
  apiKey: string;
  /** Timeout in ms after which a question is answered without it. */
  timeoutMs: number;
}

export const rerankVariables = {
  baseUrl: variable(
    'RERANK_BASE_URL',
    endpoint,
    'An endpoint that reorders the best passages and judges whether they answer, as of Cohere, Jina, TEI, llama.cpp and vLLM; `/rerank` is appended.',
  ),
  model: variable('RERANK_MODEL', modelName, 'Its model.'),
  apiKey: variable(
    'RERANK_API_KEY',
    uncheckedText('printable ASCII without blanks', true),
    'Its key, if it requires one.',
  ),
  timeoutMs: variable(
    'RERANK_TIMEOUT_MS',
    wholeNumber(10, 10_000, 500),
    'Milliseconds after which a question is answered without it.',
  ),
};

/** The endpoint configured in the environment; null without RERANK_BASE_URL. Errors are added to `problems`, without the key. */
export function readRerank(
  values: ValuesOf<typeof rerankVariables>,
  problems: string[],
): ConfiguredRerank | null {
  const { baseUrl, model, timeoutMs } = values;
  if (!baseUrl && !model) return null;
  if (baseUrl === null)
    problems.push(`RERANK_BASE_URL must be ${endpoint.expected} if RERANK_MODEL is set, got ""`);
  if (model === null)
    problems.push(`RERANK_MODEL must be ${modelName.expected} if RERANK_BASE_URL is set, got ""`);
  const apiKey = values.apiKey ?? '';
  if (!isKey(apiKey))
    problems.push(
      `RERANK_API_KEY must be printable ASCII without blanks, got a value of ${apiKey.length} characters`,
    );
  return { baseUrl: baseUrl ?? '', model: model ?? '', apiKey, timeoutMs };
}
