import { readFileSync } from 'node:fs';

export type RefusalKey =
  | 'account_disabled'
  | 'challenge_over'
  | 'code_needed'
  | 'local_sign_in_off'
  | 'name_length'
  | 'name_characters'
  | 'name_scripts'
  | 'name_taken'
  | 'password_length'
  | 'password_common'
  | 'password_like_name'
  | 'wrong_sign_in'
  | 'wrong_password'
  | 'wrong_code'
  | 'wrong_passkey'
  | 'second_factor_is_on'
  | 'registration_closed';

/** Normalises a name for storing: NFKC, trimmed. */
export function accountName(written: string): string {
  return written.normalize('NFKC').trim();
}

/** Key for comparing names: case-insensitive. */
export function nameKeyOf(username: string): string {
  return accountName(username).toLowerCase().normalize('NFKC');
}

/** Most Chinese, Japanese and Korean names have two or three characters. */
const eastAsian = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** Returns why a new name is refused, or null. It must have 3–64 visible characters, or at least 2 with a Chinese, Japanese or Korean one. */
export function refuseName(username: string): RefusalKey | null {
  const length = [...username].length;
  if (length < (eastAsian.test(username) ? 2 : 3) || length > 64) return 'name_length';
  if (/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/u.test(username)) return 'name_characters';
  return scripts.filter((script) => script.test(username)).length > 1 ? 'name_scripts' : null;
}

/**
 * Scripts (alphabets) whose letters look alike: a name that mixes two of them could be mistaken for another name. Latin, Chinese,
 * Japanese and Korean count as one script, since names mix them (Unicode Technical Standard 39, "highly restrictive").
 */
const together = 'Latin Han Hiragana Katakana Hangul Bopomofo'.split(' ');
const others = 'Cyrillic Greek Armenian Georgian Hebrew Arabic Devanagari Thai Cherokee Coptic Lisu';
const apart = others.split(' ');
const anyOf = (names: readonly string[]) => names.map((name) => `\\p{sc=${name}}`).join('');
const scripts = [
  new RegExp(`[${anyOf(together)}]`, 'u'),
  ...apart.map((name) => new RegExp(anyOf([name]), 'u')),
  new RegExp(`(?![${anyOf([...together, ...apart, 'Common', 'Inherited'])}])\\p{L}`, 'u'),
];

/** Returns why a new password is refused, or null. It must have 8–128 characters, and be neither common nor similar to the user name. */
export function refusePassword(password: string, username = ''): RefusalKey | null {
  const length = [...password].length;
  if (length < 8 || length > 128) return 'password_length';
  if (isLikeName(password, username)) return 'password_like_name';
  return isCommonPassword(password) ? 'password_common' : null;
}

/**
 * The most common passwords of eight or more characters, in lower case: from published lists of leaked ones,
 * Chinese and English. Repeated characters, sequences of digits and letters, and keyboard rows are detected
 * by rules.
 */
const listed = readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8');
const commonest = new Set(listed.split(/\s+/).filter(Boolean));

const rows = [
  '01234567890123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  '1234567890-=',
];
const runs = rows.flatMap((row) => [row, [...row].reverse().join('')]);

/** Whether `password` is one that attackers try first. */
export function isCommonPassword(password: string): boolean {
  const lower = password.normalize('NFKC').toLowerCase();
  return (
    commonest.has(lower) ||
    // One to four characters, repeated.
    /^(.{1,4}?)\1+$/u.test(lower) ||
    runs.some((run) => run.includes(lower))
  );
}

/** Whether `password` is the user name with few changes. */
export function isLikeName(password: string, username: string): boolean {
  const fold = (text: string) => text.normalize('NFKC').toLowerCase().replace(/\s/gu, '');
  const [given, name] = [fold(password), fold(username)];
  if (name.length < 3) return given === name;
  return [name, [...name].reverse().join('')].some(
    (one) => given.includes(one) && [...given.replaceAll(one, '')].length < 4,
  );
}
