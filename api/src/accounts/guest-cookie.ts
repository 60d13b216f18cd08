import { randomBytes } from 'node:crypto';
import type { Config } from '../config/config.ts';
import { databaseNow } from '../store/database-clock.ts';
import { createSigner } from './secrets.ts';

const day = 86_400_000;

export interface GuestCookie {
  id: string;
  /** Whether it is old enough to be renewed, to extend its lifetime. */
  isStale: boolean;
}

export type GuestCookies = ReturnType<typeof createGuestCookies>;

/**
 * Creates and verifies the two cookies of a guest: the signed guest id, and the CSRF token bound to it.
 * `config.guestDays` is read each time, since administrators may change it.
 */
export function createGuestCookies(key: Buffer, config: Readonly<Pick<Config, 'guestDays'>>) {
  const { sign, isSigned } = createSigner(key);
  return {
    create: (): GuestCookie => ({ id: randomBytes(18).toString('base64url'), isStale: true }),
    /** null unless `value` was signed by this server and is not older than GUEST_DAYS. */
    read(value: string | undefined): GuestCookie | null {
      const [, id = '', at = '', signature = ''] =
        /^([\w-]{24})\.([0-9a-z]{1,9})\.([\w-]{43})$/.exec(value ?? '') ?? [];
      if (id === '' || !isSigned(`${id}.${at}`, signature)) return null;
      const age = databaseNow() - Number.parseInt(at, 36) * 1000;
      const lifetime = config.guestDays * day;
      return age > lifetime ? null : { id, isStale: age > lifetime / 14 };
    },
    /** Signs it again with the current time. */
    write(id: string): string {
      const at = Math.floor(databaseNow() / 1000).toString(36);
      return `${id}.${at}.${sign(`${id}.${at}`)}`;
    },
    csrfToken: (id: string): string => sign(`csrf ${id}`),
    isCsrfToken: (id: string, given: string): boolean => isSigned(`csrf ${id}`, given),
  };
}
