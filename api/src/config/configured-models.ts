import { z } from 'zod';
import { Key, keyText, readKey } from './configured-endpoint.ts';
import { parseJson } from './parse-json.ts';
import {
  endpoint,
  listSchema,
  uncheckedText,
  type ValuesOf,
  type Variable,
  variable,
  wholeNumber,
  yesOrNo,
} from './variable.ts';

/** A model at an OpenAI-compatible endpoint, with the name under which users choose it. */
export interface ConfiguredModel {
  name: string;
  /** Name of the model at the endpoint. */
  model: string;
  /** Without a trailing slash; `/chat/completions` is appended. */
  baseUrl: string;
  /** '' if the endpoint requires none. */
  apiKey: string;
  vision: boolean;
  /** Maximum tokens of prompt and answer together. */
  contextTokens: number;
}

const usualContext = 16_000;
const maxModels = 50;

const name = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .regex(/^[^\p{Cc}]*$/u)
  .refine((given) => given !== 'none');

const names: Variable<string[]> = {
  schema: listSchema.refine((values) => values.every((value) => name.safeParse(value).success)),
  expected: 'a list of names, each text of 1–64 characters other than none',
};

export const modelVariables = {
  baseUrl: variable('OPENAI_BASE_URL', endpoint),
  apiKey: variable('OPENAI_API_KEY', keyText),
  names: variable('OPENAI_MODEL', names),
  vision: variable('OPENAI_VISION', yesOrNo(false)),
  contextTokens: variable('OPENAI_CONTEXT_TOKENS', wholeNumber(2000, 10_000_000, usualContext)),
  others: variable('MODELS', uncheckedText('a JSON array', true)),
};

type ModelValues = ValuesOf<typeof modelVariables>;
/** The value of any variable that holds a secret; undefined if unset. */
type FindSecret = (name: string) => string | undefined;

const Entry = z.strictObject({
  name,
  model: z.string().trim().min(1).max(200).optional(),
  baseUrl: z
    .string()
    .trim()
    .pipe(endpoint.schema as z.ZodType<string, string>),
  apiKey: Key.optional(),
  apiKeyEnv: z.string().min(1).optional(),
  vision: z.boolean().default(false),
  contextTokens: z.number().int().min(2000).max(10_000_000).default(usualContext),
});

const expected: Record<keyof z.infer<typeof Entry>, string> = {
  name: 'text of 1–64 characters other than none',
  model: 'text of 1–200 characters',
  baseUrl: endpoint.expected,
  apiKey: keyText.expected,
  apiKeyEnv: 'the name of a variable that is set to printable ASCII without blanks',
  vision: 'true or false',
  contextTokens: 'a whole number of at least 2000',
};

/**
 * The models configured in the environment, the default first: OPENAI_MODEL at OPENAI_BASE_URL, then
 * the entries of MODELS. Errors are added to `problems` without the values, since any of them may contain a key.
 */
export function readModels(
  values: ModelValues,
  findSecret: FindSecret,
  problems: string[],
): ConfiguredModel[] {
  const models = [...readOpenAiModels(values, problems), ...readOthers(values.others, findSecret, problems)];
  const names = models.map((one) => one.name);
  const twice = names.find((one, index) => names.indexOf(one) < index);
  if (twice !== undefined)
    problems.push(`OPENAI_MODEL and MODELS must name each model once, got ${JSON.stringify(twice)} twice`);
  if (models.length > maxModels)
    problems.push(`OPENAI_MODEL and MODELS must name ${maxModels} models at most, got ${models.length}`);
  return models;
}

/** A key alone configures nothing: many machines have one in their environment for other programs. */
function readOpenAiModels(values: ModelValues, problems: string[]): ConfiguredModel[] {
  const { baseUrl, names = [], vision, contextTokens } = values;
  if (!baseUrl && names.length === 0) return [];
  if (baseUrl === null) problems.push('OPENAI_BASE_URL must be set if OPENAI_MODEL is set, got ""');
  if (values.names?.length === 0) problems.push('OPENAI_MODEL must be set if OPENAI_BASE_URL is set, got ""');
  const apiKey = readKey('OPENAI_API_KEY', values.apiKey, problems);
  return names.map((one) => ({
    name: one,
    model: one,
    baseUrl: baseUrl ?? '',
    apiKey,
    vision,
    contextTokens,
  }));
}

function readOthers(given: string | null, findSecret: FindSecret, problems: string[]): ConfiguredModel[] {
  if (given === null || given === undefined) return [];
  const list = parseJson(given);
  if (!Array.isArray(list)) {
    problems.push(
      `MODELS must be a JSON array such as [{"name": "…", "baseUrl": "…"}], got ${given.length} characters of something else`,
    );
    return [];
  }
  return list.flatMap((entry, index) => readEntry(entry, `MODELS[${index}]`, findSecret, problems));
}

function readEntry(
  entry: unknown,
  at: string,
  findSecret: FindSecret,
  problems: string[],
): ConfiguredModel[] {
  const parsed = Entry.safeParse(entry);
  if (!parsed.success) {
    for (const issue of parsed.error.issues) problems.push(problemOf(issue, entry, at));
    return [];
  }
  const { name, model = name, baseUrl, apiKey, apiKeyEnv, vision, contextTokens } = parsed.data;
  if (apiKey !== undefined && apiKeyEnv !== undefined) {
    problems.push(`${at} must have apiKey or apiKeyEnv, got both`);
    return [];
  }
  const fromEnv = apiKeyEnv === undefined ? '' : (findSecret(apiKeyEnv) ?? '');
  if (apiKeyEnv !== undefined && (fromEnv === '' || !Key.safeParse(fromEnv).success)) {
    // Not quoted, since the key itself is easily entered here by mistake.
    problems.push(`${at}.apiKeyEnv must be ${expected.apiKeyEnv}`);
    return [];
  }
  return [{ name, model, baseUrl, apiKey: apiKey ?? fromEnv, vision, contextTokens }];
}

function problemOf(issue: z.core.$ZodIssue, entry: unknown, at: string): string {
  const [field] = issue.path;
  if (field === undefined) {
    const known = Object.keys(expected).join(', ');
    return issue.code === 'unrecognized_keys'
      ? `${at} must have no fields but ${known}, got ${JSON.stringify(issue.keys)}`
      : `${at} must be an object with ${known}`;
  }
  const what = expected[field as keyof typeof expected];
  const isMissing = (entry as Record<PropertyKey, unknown>)[field] === undefined;
  return `${at}.${String(field)} must be ${what}, got ${isMissing ? 'nothing' : 'something else'}`;
}
