import { isCommonPassword, isLikeName } from './common-passwords.ts';

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

/** Why a new name is refused: not 3–64 visible characters, or 2 with a Chinese, Japanese or Korean one. */
export function refuseName(username: string): RefusalKey | null {
  const length = [...username].length;
  if (length < (eastAsian.test(username) ? 2 : 3) || length > 64) return 'name_length';
  if (/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/u.test(username)) return 'name_characters';
  return scripts.filter((script) => script.test(username)).length > 1 ? 'name_scripts' : null;
}

/**
 * Scripts whose letters look like those of others: a name in two of them could be taken for another one. Latin, Chinese, Japanese and Korean
 * count as one, since names mix them (Unicode Technical Standard 39, "highly restrictive").
 */
const together = 'Latin Han Hiragana Katakana Hangul Bopomofo'.split(' ');
const apart = 'Cyrillic Greek Armenian Georgian Hebrew Arabic Devanagari Thai Cherokee Coptic Lisu'.split(
  ' ',
);
const anyOf = (names: readonly string[]) => names.map((name) => `\\p{sc=${name}}`).join('');
const scripts = [
  new RegExp(`[${anyOf(together)}]`, 'u'),
  ...apart.map((name) => new RegExp(anyOf([name]), 'u')),
  new RegExp(`(?![${anyOf([...together, ...apart, 'Common', 'Inherited'])}])\\p{L}`, 'u'),
];

/** Why a new password is refused: not 8–128 characters, common, or similar to the user name. Or null. */
export function refusePassword(password: string, username = ''): RefusalKey | null {
  const length = [...password].length;
  if (length < 8 || length > 128) return 'password_length';
  if (isLikeName(password, username)) return 'password_like_name';
  return isCommonPassword(password) ? 'password_common' : null;
}
