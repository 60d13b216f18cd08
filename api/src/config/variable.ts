import { z } from 'zod';

/** variables.json describes what it means. */
export interface NamedVariable<T> extends Variable<T> {
  name: string;
}

export type ValuesOf<Table> = {
  [Key in keyof Table]: Table[Key] extends NamedVariable<infer T> ? T : never;
};

export function variable<T>(name: string, kind: Variable<T>): NamedVariable<T> {
  return { name, ...kind };
}

export interface Variable<T> {
  schema: z.ZodType<T, unknown>;
  /** Completes the message "NAME must be …". */
  expected: string;
  /** Never shown, and may stand in a file named by `<NAME>_FILE`. */
  secret?: boolean;
  /** For the documentation, if it is not the value of an empty environment. */
  shownDefault?: string;
}

export function wholeNumberOrNull(max: number): Variable<number | null> {
  const { schema, expected } = wholeNumber(0, max, 0);
  return { schema: nullable(schema as z.ZodType<number, string>), expected };
}

export const portOrNull: Variable<number | null> = {
  schema: nullable(wholeNumber(1, 65_535, 1).schema as z.ZodType<number, string>),
  expected: '1–65535',
};

export function wholeNumber(min: number, max: number, fallback: number): Variable<number> {
  const schema = z
    .string()
    .regex(/^\d{1,9}$/)
    .default(String(fallback))
    .transform(Number)
    .pipe(z.number().min(min).max(max));
  return { schema, expected: `${min}–${max}` };
}

export function text(fallback: string): Variable<string> {
  return { schema: z.string().default(fallback), expected: 'text' };
}

export function secretText(min: number): Variable<string | null> {
  return { schema: nullable(z.string().min(min)), expected: `at least ${min} characters`, secret: true };
}

export const authorization: Variable<string | null> = {
  schema: nullable(z.string().regex(/^[!-~]+( [!-~]+)*$/)),
  expected: 'printable ASCII',
  secret: true,
};

export const signingSecret: Variable<string | null> = {
  schema: nullable(z.string().regex(/^whsec_[A-Za-z0-9+/]{22,}={0,2}$/)),
  expected: '`whsec_` and at least 16 bytes in base64',
  secret: true,
};

export function oneOf<const T extends readonly [string, ...string[]]>(
  choices: T,
  fallback: T[number],
): Variable<T[number]> {
  const schema = z.string().default(fallback).pipe(z.enum(choices)) as unknown as z.ZodType<T[number]>;
  return { schema, expected: choices.join(', ').replace(/, ([^,]*)$/, ' or $1') };
}

const yes = ['true', '1', 'yes', 'on'];
const no = ['false', '0', 'no', 'off'];

export function yesOrNo(fallback: boolean): Variable<boolean> {
  const schema = z
    .string()
    .default(fallback ? 'true' : 'false')
    .transform((value) => value.toLowerCase())
    .pipe(z.enum([...yes, ...no]))
    .transform((value) => yes.includes(value));
  return { schema, expected: 'true or false' };
}

export const proxies: Variable<number> = {
  schema: z
    .string()
    .default('off')
    .transform((value) => value.toLowerCase())
    .pipe(z.string().regex(/^(true|yes|on|false|no|off|\d|10)$/))
    .transform((value) => (yes.includes(value) ? 1 : no.includes(value) ? 0 : Number(value))),
  expected: 'off, on or the number of proxies (1–10)',
};

export const environmentName: Variable<string> = {
  schema: z
    .string()
    .default('production')
    .pipe(z.string().regex(/^[a-z][a-z0-9-]{0,31}$/)),
  expected: 'lower-case letters, digits and hyphens, at most 32 and first a letter, such as staging',
};

/** A comma-separated list; empty by default. */
export const listSchema = z.string().default('').transform(splitList);

export const list: Variable<string[]> = { schema: listSchema, expected: 'a comma-separated list' };

export const mongodbUri: Variable<string | null> = {
  schema: nullable(z.string().regex(/^mongodb(\+srv)?:\/\/[^\s]+$/)),
  expected: 'a connection string that begins with mongodb://',
  secret: true,
};

export const url: Variable<string | null> = {
  schema: nullable(z.string().max(2048).refine(isHttpUrl)),
  expected: 'an address that begins with http:// or https://',
};

/** Its path or query may be secret. */
export const receiver: Variable<string | null> = {
  schema: nullable(
    z
      .string()
      .max(2048)
      .refine((value) => isHttpUrl(value) && new URL(value).username + new URL(value).password === ''),
  ),
  expected: 'an http:// or https:// address without user name and password',
  secret: true,
};

export const publicAddress: Variable<string | null> = {
  schema: nullable(z.string().refine(isPublicAddress).transform(toPublicAddress)),
  expected: 'an origin such as https://desk.example, or with a path such as https://example.org/desk',
};

/** A base path must not begin like the desk's own paths, which could not be distinguished from it. */
function isPublicAddress(value: string): boolean {
  const address = withoutSlash(value);
  const path = withoutSlash(URL.parse(address)?.pathname ?? '');
  const isPath = /^(\/[\w.~-]+)*$/.test(path) && !/^\/(chatbot|api|admin|ops)(\/|$)/i.test(path);
  return isPath && address.endsWith(path) && isOrigin(address.slice(0, address.length - path.length));
}

function toPublicAddress(value: string): string {
  const { origin, pathname } = new URL(value);
  return withoutSlash(origin + pathname);
}

export const origins: Variable<string[]> = {
  schema: listSchema.refine((values) => values.every(isOrigin)).transform((values) => values.map(toOrigin)),
  expected: 'comma-separated origins',
};

export const releaseTokens: Variable<Record<string, string>> = {
  schema: listSchema
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

/** Any text. The reader of the variable validates it, because the variable only applies together with others. */
export function uncheckedText(expected: string, secret = false): Variable<string | null> {
  return { schema: nullable(z.string()), expected, secret };
}

export const endpoint: Variable<string | null> = {
  schema: nullable(z.string().refine(isEndpoint).transform(withoutSlash)),
  expected: 'an http:// or https:// address without user name, password or query',
};

function isEndpoint(address: string): boolean {
  const url = URL.parse(address);
  if (!url || address.length > 2048 || !/^https?:$/.test(url.protocol)) return false;
  return url.username === '' && url.password === '' && url.search === '' && url.hash === '';
}

function withoutSlash(address: string): string {
  return address.replace(/\/+$/, '');
}

export function nullable<T>(schema: z.ZodType<T, string>): z.ZodType<T | null, unknown> {
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

/** Whether `address` has one of these origins, and neither user name, password nor fragment. */
export function isOnOrigin(address: string, origins: readonly string[]): boolean {
  const url = URL.parse(address);
  return !!url && url.username + url.password + url.hash === '' && origins.includes(url.origin);
}

function toOrigin(value: string): string {
  return new URL(value).origin;
}
