import { z } from 'zod';
import { readEmbeddings } from './configured-embeddings.ts';
import { readModels } from './configured-models.ts';

/** The whole configuration, read once at the start; see CONFIGURATION.md. */
export type Config = ReturnType<typeof readConfig>;

export type LogLevel = (typeof logLevels)[number];

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/**
 * Reads the environment. An empty value counts as unset.
 * @throws Error that lists every invalid value as `PORT must be 1–65535, got "x"`, without secrets.
 */
export function readConfig(env: Record<string, string | undefined>) {
  const problems: string[] = [];
  const read = <T>({ name, schema, expected, secret }: NamedVariable<T>): T => {
    const given = env[name]?.trim() || undefined;
    const parsed = schema.safeParse(given);
    if (parsed.success) return parsed.data;
    const got = secret ? `a value of ${given?.length ?? 0} characters` : JSON.stringify(given ?? '');
    problems.push(`${name} must be ${expected}, got ${got}`);
    return undefined as T;
  };
  const values = Object.fromEntries(
    Object.entries(variables()).map(([key, variable]) => [key, read<unknown>(variable)]),
  ) as { [Key in keyof Variables]: Variables[Key] extends NamedVariable<infer T> ? T : never };
  const config = {
    ...values,
    limitSignUp: values.limitSignUp ?? Math.min(MOST, 2 * values.limitSignIn),
    /** The first is the default; empty: answers use the knowledge base only. */
    models: readModels(env, problems),
    /** null: passages are found by their words only. */
    embeddings: readEmbeddings(env, problems),
  };
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return config;
}

type Variables = ReturnType<typeof variables>;

const MOST = 1_000_000;

/** Every variable except those of models and embeddings, with its description in CONFIGURATION.md. A function: it uses constants below. */
export function variables() {
  return {
    port: variable('PORT', wholeNumber(1, 65_535, 8080), 'Port to listen on.'),
    host: variable('HOST', text('127.0.0.1'), 'Address to listen on; `0.0.0.0` for all interfaces.'),
    dataDir: variable('DATA_DIR', text('./data'), 'Folder of all data, used by one process at a time.'),
    mongodbUri: variable(
      'MONGODB_URI',
      mongodbUri,
      'A MongoDB ≥ 5 instead of the embedded store in `DATA_DIR`. Any number of API processes can then use it.',
    ),
    environment: variable(
      'DESK_ENV',
      environmentName,
      'Environment that this process serves and changes. One database can hold several, each with its own live composition, history and canaries.',
    ),
    publicUrl: variable(
      'PUBLIC_URL',
      origin,
      'Public origin, if there is a proxy. If unset, it is derived from each request.',
    ),
    trustProxy: variable(
      'TRUST_PROXY',
      proxies,
      'Number of proxies whose `X-Forwarded-*` headers are trusted.',
    ),
    secret: variable(
      'SECRET',
      secretText(16),
      "Signs guests' cookies. If unset, it is generated once and kept in the store.",
    ),
    opsToken: variable(
      'OPS_TOKEN',
      secretText(16),
      'The first token of operations, with the scope `admin`, valid in every process on the store. If unset, it is generated and written to `DATA_DIR/ops-token` (mode 600). `compose tokens` creates others.',
    ),
    sessionDays: variable(
      'SESSION_DAYS',
      wholeNumber(1, 3650, 30),
      'Days until a session ends after its last use.',
    ),
    guestDays: variable('GUEST_DAYS', wholeNumber(1, 3650, 7), 'Days that data of guests is kept.'),
    undoDays: variable('UNDO_DAYS', wholeNumber(1, 365, 7), 'Days in which a deletion can be undone.'),
    handbook: variable(
      'HANDBOOK',
      yesOrNo(true),
      "If off, the product's handbook is not used for answers or suggestions.",
    ),
    requireSignIn: variable('REQUIRE_SIGN_IN', yesOrNo(false), 'If true, asking requires an account.'),
    registration: variable(
      'REGISTRATION',
      oneOf(['open', 'closed'], 'open'),
      'If closed, nobody can create an account.',
    ),
    editors: variable(
      'EDITORS',
      list,
      'Names of existing accounts that get the right to change the knowledge base at the next start; each name is applied once. `*` is everyone signed in, for the knowledge base alone. Afterwards: `npm run accounts -- editor add`, `list`, `remove`.',
    ),
    limitChat: variable('LIMIT_CHAT', wholeNumber(0, MOST, 60), 'Questions per minute; 0: no limit.'),
    limitSignIn: variable('LIMIT_SIGN_IN', wholeNumber(0, MOST, 10), 'Sign-ins per minute; 0: no limit.'),
    limitSignUp: variable(
      'LIMIT_SIGN_UP',
      { ...wholeNumberOrNull(MOST), shownDefault: 'twice `LIMIT_SIGN_IN`' },
      'New accounts per minute, from all addresses together; 0: no limit.',
    ),
    limitPdf: variable('LIMIT_PDF', wholeNumber(0, MOST, 30), 'PDF reports per minute; 0: no limit.'),
    limitGuestMb: variable(
      'LIMIT_GUEST_MB',
      wholeNumber(0, MOST, 200),
      'MB per day that a guest, and all guests of an address, may upload and import; 0: no limit.',
    ),
    limitAddressMb: variable(
      'LIMIT_ADDRESS_MB',
      wholeNumber(0, MOST, 2000),
      'The same for all users of an address.',
    ),
    limitOwnerMb: variable(
      'LIMIT_OWNER_MB',
      wholeNumber(0, MOST, 1000),
      'MB of files that one owner may keep, and that an account may upload and import per day; 0: no limit.',
    ),
    maxUploadMb: variable(
      'MAX_UPLOAD_MB',
      wholeNumber(1, 1024, 20),
      'MB of all files of one question together.',
    ),
    maxPages: variable('MAX_PAGES', wholeNumber(1, 100_000, 2000), 'Pages of a PDF.'),
    modelTimeout: variable(
      'MODEL_TIMEOUT',
      wholeNumber(1, 280, 30),
      "Seconds until a model's first token; then the knowledge base answers.",
    ),
    limitModelTokens: variable(
      'LIMIT_MODEL_TOKENS',
      wholeNumber(0, 999_999_999, 0),
      'Model tokens per visitor and day (UTC); 0: no limit.',
    ),
    releaseRetention: variable(
      'RELEASE_RETENTION',
      wholeNumber(1, 3650, 90),
      'Days that a release is kept after the last composition that names it.',
    ),
    releaseTokens: variable(
      'RELEASE_TOKENS',
      releaseTokens,
      'Tokens with which teams publish their own remote. Tokens with the scope `release:mfe-chat` (`compose tokens`) need no restart.',
    ),
    releaseOrigins: variable(
      'RELEASE_ORIGINS',
      origins,
      'Other origins from which releases and overrides may be loaded.',
    ),
    webhookOrigins: variable(
      'WEBHOOK_ORIGINS',
      origins,
      'Origins that webhooks may be sent to (`compose webhooks`).',
    ),
    productionApprovals: variable(
      'PRODUCTION_APPROVALS',
      wholeNumber(1, 2, 1),
      '2: a change of production waits until a second, different token approves it (`compose approve`).',
    ),
    avatarUserUrl: variable(
      'AVATAR_USER_URL',
      url,
      "Address of the visitor's picture, instead of the bundled one.",
    ),
    avatarBotUrl: variable(
      'AVATAR_BOT_URL',
      url,
      "Address of the desk's picture, instead of the bundled one.",
    ),
    logLevel: variable('LOG_LEVEL', oneOf(logLevels, 'info'), 'Least severe level that is logged.'),
  };
}

interface NamedVariable<T> extends Variable<T> {
  name: string;
  about: string;
}

function variable<T>(name: string, kind: Variable<T>, about: string): NamedVariable<T> {
  return { name, about, ...kind };
}

interface Variable<T> {
  schema: z.ZodType<T, unknown>;
  /** Completes the message "NAME must be …". */
  expected: string;
  secret?: boolean;
  /** For the documentation, if it is not the value of an empty environment. */
  shownDefault?: string;
}

function wholeNumberOrNull(max: number): Variable<number | null> {
  const { schema, expected } = wholeNumber(0, max, 0);
  return { schema: nullable(schema as z.ZodType<number, string>), expected };
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
