import type { RefusalKey } from './account-messages.ts';

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

/** Why a new password is refused; null when it is fine. 8–128 characters. */
export function refusePassword(password: string): RefusalKey | null {
  const length = [...password].length;
  return length < 8 || length > 128 ? 'password_length' : null;
}
