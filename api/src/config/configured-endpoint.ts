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
