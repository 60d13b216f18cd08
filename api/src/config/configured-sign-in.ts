import { z } from 'zod';
import { GivenRole } from '../contract/rights.ts';
import { parseJson } from './parse-json.ts';
import { uncheckedText, type ValuesOf, variable, yesOrNo } from './variable.ts';

export type ConfiguredProvider = z.infer<typeof Entry>;

export const signInVariables = {
  isLocal: variable('LOCAL_SIGN_IN', yesOrNo(true)),
  providers: variable('OIDC_PROVIDERS', uncheckedText('a JSON array', true)),
};

function isSafeAddress(issuer: string): boolean {
  const url = URL.parse(issuer);
  if (url?.search !== '' || url.hash !== '' || url.username !== '') return false;
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLocal);
}

const must = (expected: string) => ({ error: `must be ${expected}` });
const text = (max: number) =>
  z
    .string(must('text'))
    .trim()
    .min(1, must('text'))
    .max(max, must(`≤ ${max} characters`));

const Entry = z.strictObject({
  id: z
    .string(must('lower-case letters, digits and hyphens'))
    .regex(/^[a-z0-9-]{1,32}$/, must('1–32 lower-case letters, digits and hyphens')),
  /** On the button. */
  name: text(40),
  issuer: z
    .string(must('an https:// address'))
    .max(2048)
    .refine(isSafeAddress, must('an https:// address without query, or http:// on this machine')),
  clientId: text(255),
  /** Missing: a public client. */
  clientSecret: text(1024).exactOptional(),
  scope: text(500).default('openid profile email'),
  /** The claim with a name, or names, that `roles` gives roles. */
  rolesClaim: text(100).exactOptional(),
  /** The claim with the name, or names, that groups of the desk are joined by. */
  groupsClaim: text(100).exactOptional(),
  roles: z.record(z.string(), z.array(GivenRole, must('a list of roles')), must('an object')).default({}),
});

/** The providers of OIDC_PROVIDERS. Errors are added to `problems` without the values, since any of them may contain a secret. */
export function readSignIn(
  { isLocal, providers }: ValuesOf<typeof signInVariables>,
  problems: string[],
): { isLocal: boolean; providers: ConfiguredProvider[] } {
  const before = problems.length;
  const read = providers ? readProviders(providers, problems) : [];
  if (isLocal === false && read.length === 0 && problems.length === before)
    problems.push('OIDC_PROVIDERS must be set if LOCAL_SIGN_IN is off, got ""');
  return { isLocal, providers: read };
}

function readProviders(given: string, problems: string[]): ConfiguredProvider[] {
  const parsed = z.array(Entry).max(20).safeParse(parseJson(given));
  if (!parsed.success) {
    for (const { path, message, code } of parsed.error.issues)
      problems.push(
        path.length === 0
          ? `OIDC_PROVIDERS must be a JSON array of at most 20 providers, got ${given.length} characters`
          : `OIDC_PROVIDERS${z.core.toDotPath(path)} ${code === 'unrecognized_keys' ? 'must have no other fields' : message}`,
      );
    return [];
  }
  for (const field of ['id', 'name', 'issuer'] as const)
    if (new Set(parsed.data.map((one) => one[field])).size < parsed.data.length)
      problems.push(`OIDC_PROVIDERS must have a different ${field} for each provider`);
  return parsed.data;
}
