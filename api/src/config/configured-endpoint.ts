import { z } from 'zod';
import { endpoint, nullable, uncheckedText, type Variable } from './variable.ts';

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

/** The key, '' for none. It is not part of what is added to `problems`. */
export function readKey(name: string, given: string | null, problems: string[]): string {
  const key = given ?? '';
  if (!Key.safeParse(key).success)
    problems.push(`${name} must be ${keyText.expected}, got a value of ${key.length} characters`);
  return key;
}
