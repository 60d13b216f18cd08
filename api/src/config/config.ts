import { z } from 'zod';
import { type ConfiguredEmbeddings, readEmbeddings } from './configured-embeddings.ts';
import { type ConfiguredModel, readModels } from './configured-models.ts';

/** The whole configuration, read once at the start. */
export interface Config {
  port: number;
  host: string;
  dataDir: string;
  /** null: the embedded store in `dataDir`. */
  mongodbUri: string | null;
  /** Name of the environment whose live composition this process serves and changes. */
  environment: string;
  /** Public origin without a trailing slash; null: derived from each request. */
  publicUrl: string | null;
  /** Number of trusted reverse proxies that set X-Forwarded-* headers; 0: none. */
  trustProxy: number;
  /** null: generated once and kept in the store. */
  secret: string | null;
  /** null: generated once, kept in the store and written to `dataDir`/ops-token. */
  opsToken: string | null;
  sessionDays: number;
  guestDays: number;
  undoDays: number;
  /** Whether the product's handbook is used for answers. */
  handbook: boolean;
  requireSignIn: boolean;
  registration: 'open' | 'closed';
  /** Names of accounts that may change the knowledge base; `*` allows everyone signed in. */
  editors: string[];
  /** Requests per minute; 0: unlimited. */
  limitChat: number;
  limitSignIn: number;
  /** New accounts per minute, from all addresses together. */
  limitSignUp: number;
  limitPdf: number;
  /** MB per day that a guest, and all guests of an address, may upload and import; 0: unlimited. */
  limitGuestMb: number;
  /** The same for all users of an address. */
  limitAddressMb: number;
  /** MB of files that one owner may keep, and that an account may upload and import per day; 0: unlimited. */
  limitOwnerMb: number;
  maxUploadMb: number;
  maxPages: number;
  /** The first is the default; empty: answers use the knowledge base only. */
  models: ConfiguredModel[];
  /** Maximum seconds until a model's first token. */
  modelTimeout: number;
  /** null: passages are found by their words only. */
  embeddings: ConfiguredEmbeddings | null;
  /** Model tokens that an owner may use per day (UTC); 0: unlimited. */
  limitModelTokens: number;
  /** Retention of a release after the last composition that names it, in days. */
  releaseRetention: number;
  /** Tokens by the remote that they may publish. */
  releaseTokens: Record<string, string>;
  releaseOrigins: string[];
  /** Origins that webhooks may be sent to. */
  webhookOrigins: string[];
  /** Number of different tokens that a change of production needs: 1 or 2. */
  productionApprovals: number;
  avatarUserUrl: string | null;
  avatarBotUrl: string | null;
  logLevel: LogLevel;
}

export type LogLevel = (typeof logLevels)[number];

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/**
 * Reads the environment. An empty value counts as unset.
 * @throws Error that lists every invalid value as `PORT must be 1–65535, got "x"`, without secrets.
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  const problems: string[] = [];
  const read = <T>(name: string, variable: Variable<T>): T => {
    const given = env[name]?.trim() || undefined;
    const parsed = variable.schema.safeParse(given);
    if (parsed.success) return parsed.data;
    const got = variable.secret ? `a value of ${given?.length ?? 0} characters` : JSON.stringify(given ?? '');
    problems.push(`${name} must be ${variable.expected}, got ${got}`);
    return undefined as T;
  };

  const limitSignIn = read('LIMIT_SIGN_IN', wholeNumber(0, 1_000_000, 10));
  const config: Config = {
    port: read('PORT', wholeNumber(1, 65_535, 8080)),
    host: read('HOST', text('127.0.0.1')),
    dataDir: read('DATA_DIR', text('./data')),
    mongodbUri: read('MONGODB_URI', mongodbUri),
    environment: read('DESK_ENV', environmentName),
    publicUrl: read('PUBLIC_URL', origin),
    trustProxy: read('TRUST_PROXY', proxies),
    secret: read('SECRET', secretText(16)),
    opsToken: read('OPS_TOKEN', secretText(16)),
    sessionDays: read('SESSION_DAYS', wholeNumber(1, 3650, 30)),
    guestDays: read('GUEST_DAYS', wholeNumber(1, 3650, 7)),
    undoDays: read('UNDO_DAYS', wholeNumber(1, 365, 7)),
    handbook: read('HANDBOOK', yesOrNo(true)),
    requireSignIn: read('REQUIRE_SIGN_IN', yesOrNo(false)),
    registration: read('REGISTRATION', oneOf(['open', 'closed'], 'open')),
    editors: read('EDITORS', list),
    limitChat: read('LIMIT_CHAT', wholeNumber(0, 1_000_000, 60)),
    limitSignIn,
    limitSignUp: read('LIMIT_SIGN_UP', wholeNumber(0, 1_000_000, Math.min(1_000_000, 2 * limitSignIn))),
    limitPdf: read('LIMIT_PDF', wholeNumber(0, 1_000_000, 30)),
    limitGuestMb: read('LIMIT_GUEST_MB', wholeNumber(0, 1_000_000, 200)),
    limitAddressMb: read('LIMIT_ADDRESS_MB', wholeNumber(0, 1_000_000, 2000)),
    limitOwnerMb: read('LIMIT_OWNER_MB', wholeNumber(0, 1_000_000, 1000)),
    maxUploadMb: read('MAX_UPLOAD_MB', wholeNumber(1, 1024, 20)),
    maxPages: read('MAX_PAGES', wholeNumber(1, 100_000, 2000)),
    models: readModels(env, problems),
    modelTimeout: read('MODEL_TIMEOUT', wholeNumber(1, 280, 30)),
    embeddings: readEmbeddings(env, problems),
    limitModelTokens: read('LIMIT_MODEL_TOKENS', wholeNumber(0, 999_999_999, 0)),
    releaseRetention: read('RELEASE_RETENTION', wholeNumber(1, 3650, 90)),
    releaseTokens: read('RELEASE_TOKENS', releaseTokens),
    releaseOrigins: read('RELEASE_ORIGINS', origins),
    webhookOrigins: read('WEBHOOK_ORIGINS', origins),
    productionApprovals: read('PRODUCTION_APPROVALS', wholeNumber(1, 2, 1)),
    avatarUserUrl: read('AVATAR_USER_URL', url),
    avatarBotUrl: read('AVATAR_BOT_URL', url),
    logLevel: read('LOG_LEVEL', oneOf(logLevels, 'info')),
  };
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return config;
}

interface Variable<T> {
  schema: z.ZodType<T, unknown>;
  /** Completes the message "NAME must be …". */
  expected: string;
  secret?: boolean;
}

function wholeNumber(min: number, max: number, fallback: number): Variable<number> {
  const schema = z
    .string()
    .regex(/^\d{1,9}$/)
    .default(String(fallback))
    .transform(Number)
    .pipe(z.number().min(min).max(max));
  return { schema, expected: `${min}–${max}` };
}

function text(fallback: string): Variable<string> {
  return { schema: z.string().default(fallback), expected: 'text' };
}

function secretText(min: number): Variable<string | null> {
  return { schema: nullable(z.string().min(min)), expected: `at least ${min} characters`, secret: true };
}

function oneOf<const T extends readonly [string, ...string[]]>(
  choices: T,
  fallback: T[number],
): Variable<T[number]> {
  const schema = z.string().default(fallback).pipe(z.enum(choices)) as unknown as z.ZodType<T[number]>;
  return { schema, expected: choices.join(', ').replace(/, ([^,]*)$/, ' or $1') };
}

const yes = ['true', '1', 'yes', 'on'];
const no = ['false', '0', 'no', 'off'];

function yesOrNo(fallback: boolean): Variable<boolean> {
  const schema = z
    .string()
    .default(fallback ? 'true' : 'false')
    .transform((value) => value.toLowerCase())
    .pipe(z.enum([...yes, ...no]))
    .transform((value) => yes.includes(value));
  return { schema, expected: 'true or false' };
}

const proxies: Variable<number> = {
  schema: z
    .string()
    .default('off')
    .transform((value) => value.toLowerCase())
    .pipe(z.string().regex(/^(true|yes|on|false|no|off|\d|10)$/))
    .transform((value) => (yes.includes(value) ? 1 : no.includes(value) ? 0 : Number(value))),
  expected: 'off, on or the number of proxies (1–10)',
};

const environmentName: Variable<string> = {
  schema: z
    .string()
    .default('production')
    .pipe(z.string().regex(/^[a-z][a-z0-9-]{0,31}$/)),
  expected: 'lower-case letters, digits and hyphens, at most 32 and first a letter, such as staging',
};

const list: Variable<string[]> = {
  schema: z.string().default('').transform(splitList),
  expected: 'a comma-separated list',
};

const mongodbUri: Variable<string | null> = {
  schema: nullable(z.string().regex(/^mongodb(\+srv)?:\/\/[^\s]+$/)),
  expected: 'a connection string that begins with mongodb://',
  secret: true,
};

const url: Variable<string | null> = {
  schema: nullable(z.string().max(2048).refine(isHttpUrl)),
  expected: 'an address that begins with http:// or https://',
};

const origin: Variable<string | null> = {
  schema: nullable(z.string().refine(isOrigin).transform(toOrigin)),
  expected: 'an origin such as https://desk.example',
};

const origins: Variable<string[]> = {
  schema: z
    .string()
    .default('')
    .transform(splitList)
    .refine((values) => values.every(isOrigin))
    .transform((values) => values.map(toOrigin)),
  expected: 'comma-separated origins',
};

const releaseTokens: Variable<Record<string, string>> = {
  schema: z
    .string()
    .default('')
    .transform(splitList)
    .refine((values) => values.every((value) => /^[a-z0-9-]+:\S{16,}$/.test(value)))
    // With one token for two remotes, or two tokens for one, only one of them would work.
    .refine((values) =>
      [nameOfToken, tokenOf].every((part) => new Set(values.map(part)).size === values.length),
    )
    .transform((values) => Object.fromEntries(values.map((value) => [nameOfToken(value), tokenOf(value)]))),
  expected:
    'a list such as mfe-chat:token, one for each remote, with different tokens of at least 16 characters',
  secret: true,
};

function nameOfToken(value: string): string {
  return value.slice(0, value.indexOf(':'));
}

function tokenOf(value: string): string {
  return value.slice(value.indexOf(':') + 1);
}

function nullable<T>(schema: z.ZodType<T, string>): z.ZodType<T | null, unknown> {
  return z.union([z.undefined().transform(() => null), schema]) as z.ZodType<T | null, unknown>;
}

function splitList(value: string): string[] {
  return value
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
}

function isHttpUrl(value: string): boolean {
  return URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}

function isOrigin(value: string): boolean {
  return isHttpUrl(value) && toOrigin(value) === value.toLowerCase().replace(/\/$/, '');
}

function toOrigin(value: string): string {
  return new URL(value).origin;
}
