import { type ConfiguredEndpoint, keyText, modelName, readEndpoint } from './configured-endpoint.ts';
import { endpoint, type ValuesOf, variable, wholeNumber } from './variable.ts';

/** An endpoint that rates how relevant passages are for a question. */
export type ConfiguredRerank = ConfiguredEndpoint;

export const rerankVariables = {
  baseUrl: variable(
    'RERANK_BASE_URL',
    endpoint,
    'An endpoint that reorders the best passages and judges whether they answer, as of Cohere, Jina, TEI, llama.cpp and vLLM; `/rerank` is appended.',
  ),
  model: variable('RERANK_MODEL', modelName, 'Its model.'),
  apiKey: variable('RERANK_API_KEY', keyText, 'Its key, if it requires one.'),
  timeoutMs: variable(
    'RERANK_TIMEOUT_MS',
    wholeNumber(10, 10_000, 500),
    'Milliseconds after which a question is answered without it.',
  ),
};

export function readRerank(
  values: ValuesOf<typeof rerankVariables>,
  problems: string[],
): ConfiguredRerank | null {
  return readEndpoint('RERANK', values, problems);
}
