import { randomBytes } from 'node:crypto';
import { createSigner } from './secrets.ts';

/** Cookie of a browser that has been used to sign in to an account. */
export const deviceCookie = 'desk_device';

/** Lifetime of the device cookie after the last sign-in, in days. */
export const deviceDays = 365;

/**
 * Device cookies (https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies): a
 * browser that has signed in to an account before has its own rate limit for that account, so that wrong
 * passwords from elsewhere cannot lock out the owner.
 */
export function createDeviceCookies(key: Buffer) {
  const { sign, isSigned } = createSigner(key);
  return {
    /** A cookie for a new device of the account with this name key. */
    write(nameKey: string): string {
      const id = randomBytes(16).toString('base64url');
      return `${id}.${sign(`${id}\n${nameKey}`)}`;
    },
    /** The id of the device; null unless `value` was signed by this server for this account. */
    deviceOf(value: string | undefined, nameKey: string): string | null {
      const [, id = '', signature = ''] = /^([\w-]{22})\.([\w-]{43})$/.exec(value ?? '') ?? [];
      return id !== '' && isSigned(`${id}\n${nameKey}`, signature) ? id : null;
    },
  };
}
