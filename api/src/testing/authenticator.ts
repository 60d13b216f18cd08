import { Secret, TOTP } from 'otpauth';
import type { AdminReply, RecoveryCodes, SecondFactorSecret } from '../contract/accounts.ts';
import type { Visitor } from './visitor.ts';

/** The code that an authenticator app shows, or the one that it shows `steps` periods of 30 s later. */
export function codeAt(secret: string, steps = 0): string {
  const timestamp = Date.now() + steps * 30_000;
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });
}

/**
 * Switches on the second factor of a visitor with the code of the period before, so that the current one is unused.
 * If a period ends meanwhile, the code is two periods old and refused: then with the code after it.
 */
export async function addSecondFactor(
  visitor: Visitor,
  password: string,
): Promise<{ secret: string; recoveryCodes: string[] }> {
  const { body } = await visitor.call<AdminReply<SecondFactorSecret>>('POST', '/admin/second-factor/secret');
  const secret = body.data?.secret ?? '';
  const confirm = async () => {
    const proof = { password, code: codeAt(secret, -1) };
    return (await visitor.call<AdminReply<RecoveryCodes>>('POST', '/admin/second-factor', proof)).body;
  };
  const data = (await confirm()).data ?? (await confirm()).data;
  if (!data) throw new Error('the second factor was not switched on');
  return { secret, recoveryCodes: data.recoveryCodes };
}
