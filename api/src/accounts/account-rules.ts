import type { RefusalKey } from './account-messages.ts';
import { isCommonPassword, isLikeName } from './common-passwords.ts';

/** A name as it is kept: NFKC, trimmed. */
export function accountName(written: string): string {
  return written.normalize('NFKC').trim();
}

/** What makes two names the same: case does not count. */
export function nameKeyOf(username: string): string {
  return accountName(username).toLowerCase().normalize('NFKC');
}

/** Why a new name is refused; null when it is fine. 3–64 characters, none of them invisible. */
export function refuseName(username: string): RefusalKey | null {
  const length = [...username].length;
  if (length < 3 || length > 64) return 'name_length';
  return /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/u.test(username) ? 'name_characters' : null;
}

/** Why a new password is refused; null when it is fine. 8–128 characters, none of the commonest, and more than the user name. */
export function refusePassword(password: string, username = ''): RefusalKey | null {
  const length = [...password].length;
  if (length < 8 || length > 128) return 'password_length';
  if (isLikeName(password, username)) return 'password_like_name';
  return isCommonPassword(password) ? 'password_common' : null;
}
