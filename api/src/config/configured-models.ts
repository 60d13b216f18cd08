import { z } from 'zod';

/** A model at an OpenAI-compatible endpoint, with the name under which users choose it. */
export interface ConfiguredModel {
  name: string;
  /** Name of the model at the endpoint. */
  model: string;
  /** Without a trailing slash; `/chat/completions` is appended. */
  baseUrl: string;
  /** '' if the endpoint requires none. */
  apiKey: string;
  /** Whether it accepts images. */
  vision: boolean;
  /** Maximum tokens of prompt and answer together. */
  contextTokens: number;
}

type Environment = Record<string, string | undefined>;

const usualContext = 16_000;
const maxModels = 50;

/** Printable and without blanks: it is sent in a header, and errors about headers would quote it. */
const key = z
  .string()
  .max(4096)
  .regex(/^[\x21-\x7e]*$/);
const contextTokens = z.number().int().min(2000).max(10_000_000);
const name = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .regex(/^[^\p{Cc}]*$/u)
  .refine((given) => given !== 'none');

const Entry = z.strictObject({
  name,
  model: z.string().trim().min(1).max(200).optional(),
  baseUrl: z.string().trim().refine(isEndpoint),
  apiKey: key.optional(),
  apiKeyEnv: z.string().min(1).optional(),
  vision: z.boolean().default(false),
  contextTokens: contextTokens.default(usualContext),
});

const expected: Record<keyof z.infer<typeof Entry>, string> = {
  name: 'text of 1–64 characters other than none',
  model: 'text of 1–200 characters',
  baseUrl: 'an http:// or https:// address without user name, password or query',
  apiKey: 'printable ASCII without blanks',
  apiKeyEnv: 'the name of a variable that is set to printable ASCII without blanks',
  vision: 'true or false',
  contextTokens: 'a whole number of at least 2000',
};

/**
 * The models configured in the environment, the default first: those of OPENAI_MODEL at OPENAI_BASE_URL, then
 * those of MODELS. Errors are added to `problems` without the values, since any of them may contain a key.
 */
export function readModels(env: Environment, problems: string[]): ConfiguredModel[] {
  const models = [...readOpenAiModels(env, problems), ...readMoreModels(env, problems)];
  const names = models.map((one) => one.name);
  const twice = names.find((one, index) => names.indexOf(one) < index);
  if (twice !== undefined)
    problems.push(`OPENAI_MODEL and MODELS must name each model once, got ${JSON.stringify(twice)} twice`);
  if (models.length > maxModels)
    problems.push(`OPENAI_MODEL and MODELS must name ${maxModels} models at most, got ${models.length}`);
  return models;
}

/** A key alone configures nothing: many machines have one in their environment for other programs. */
function readOpenAiModels(env: Environment, problems: string[]): ConfiguredModel[] {
  const baseUrl = env.OPENAI_BASE_URL?.trim() ?? '';
  const named = (env.OPENAI_MODEL ?? '').split(',').flatMap((part) => part.trim() || []);
  if (baseUrl === '' && named.length === 0) return [];
  if (baseUrl === '') problems.push('OPENAI_BASE_URL must be set if OPENAI_MODEL is set, got ""');
  else if (!isEndpoint(baseUrl))
    problems.push(`OPENAI_BASE_URL must be ${expected.baseUrl}, got ${quoted(baseUrl)}`);
  if (named.length === 0) problems.push('OPENAI_MODEL must be set if OPENAI_BASE_URL is set, got ""');
  for (const one of named) {
    if (!name.safeParse(one).success)
      problems.push(
        `OPENAI_MODEL must be a list of names, each ${expected.name}, got ${JSON.stringify(one)}`,
      );
  }
  const apiKey = env.OPENAI_API_KEY?.trim() ?? '';
  if (!key.safeParse(apiKey).success)
    problems.push(`OPENAI_API_KEY must be ${expected.apiKey}, got a value of ${apiKey.length} characters`);
  const vision = readYesOrNo(env, 'OPENAI_VISION', problems);
  const context = readContext(env, problems);
  return named.map((one) => ({
    name: one,
    model: one,
    baseUrl: withoutSlash(baseUrl),
    apiKey,
    vision,
    contextTokens: context,
  }));
}

function readMoreModels(env: Environment, problems: string[]): ConfiguredModel[] {
  const given = env.MODELS?.trim();
  if (!given) return [];
  const list = parseJson(given);
  if (!Array.isArray(list)) {
    problems.push(
      `MODELS must be a JSON array such as [{"name": "…", "baseUrl": "…"}], got ${given.length} characters of something else`,
    );
    return [];
  }
  return list.flatMap((entry, index) => readEntry(entry, `MODELS[${index}]`, env, problems));
}

function readEntry(entry: unknown, at: string, env: Environment, problems: string[]): ConfiguredModel[] {
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
  const fromEnv = apiKeyEnv === undefined ? '' : (env[apiKeyEnv]?.trim() ?? '');
  if (apiKeyEnv !== undefined && (fromEnv === '' || !key.safeParse(fromEnv).success)) {
    // Not quoted, since the key itself is easily entered here by mistake.
    problems.push(`${at}.apiKeyEnv must be ${expected.apiKeyEnv}`);
    return [];
  }
  const base = withoutSlash(baseUrl);
  return [{ name, model, baseUrl: base, apiKey: apiKey ?? fromEnv, vision, contextTokens }];
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

function readYesOrNo(env: Environment, variable: string, problems: string[]): boolean {
  const given = env[variable]?.trim().toLowerCase() ?? '';
  if (['', 'false', '0', 'no', 'off'].includes(given)) return false;
  if (['true', '1', 'yes', 'on'].includes(given)) return true;
  problems.push(`${variable} must be true or false, got ${JSON.stringify(env[variable])}`);
  return false;
}

function readContext(env: Environment, problems: string[]): number {
  const given = env.OPENAI_CONTEXT_TOKENS?.trim();
  if (!given) return usualContext;
  const parsed = contextTokens.safeParse(/^\d+$/.test(given) ? Number(given) : Number.NaN);
  if (parsed.success) return parsed.data;
  problems.push(
    `OPENAI_CONTEXT_TOKENS must be ${expected.contextTokens}, got ${JSON.stringify(given.slice(0, 40))}`,
  );
  return usualContext;
}

/** Hides an address with an @, which may contain a password. */
function quoted(address: string): string {
  return address.includes('@')
    ? `a value of ${address.length} characters`
    : JSON.stringify(address.slice(0, 200));
}

export function isEndpoint(address: string): boolean {
  const url = URL.parse(address);
  if (!url || address.length > 2048 || !/^https?:$/.test(url.protocol)) return false;
  return url.username === '' && url.password === '' && url.search === '' && url.hash === '';
}

/** Whether it is empty or printable ASCII without blanks. */
export function isKey(text: string): boolean {
  return key.safeParse(text).success;
}

export function withoutSlash(address: string): string {
  return address.replace(/\/+$/, '');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
