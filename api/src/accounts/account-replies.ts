import type { AdminReply, SignInReply } from '../contract/accounts.ts';
import type { Language } from '../contract/language.ts';
import type { SsoSession } from '../contract/single-sign-on.ts';
import type { DeskContext } from '../http/desk-state.ts';
import { type TextKey, textsOf } from '../i18n/texts-of.ts';
import type { RefusalKey } from './account-rules.ts';
import type { NamedSignIn, Refused, SignInResult } from './accounts.ts';
import type { LogSecurity } from './audit/log-security.ts';
import type { Identity } from './identify.ts';

type Replied = { state: { language: Language } };

/** Records an attempt to sign in or up, unless its second step follows. */
export function logSignIn(logSecurity: LogSecurity, ctx: DeskContext, result: SignInResult): void {
  const { userId = null, isRecovery, isNew, hasNewRights } = result;
  const refusal = 'refusal' in result ? result.refusal : null;
  if (isRecovery) logSecurity(ctx, 'recovery_code_used', userId);
  if (refusal === null) logSecurity(ctx, isNew ? 'sign_up' : 'sign_in', userId);
  else if (refusal === 'wrong_code' || refusal === 'challenge_over')
    logSecurity(ctx, 'second_factor_failed', userId);
  else if (refusal === 'wrong_passkey') logSecurity(ctx, 'passkey_failed', userId);
  else if (refusal !== 'code_needed') logSecurity(ctx, 'sign_in_failed', userId);
  if (hasNewRights) logSecurity(ctx, 'permission_changed', userId);
}

export function reply<T>(ctx: Replied, key: TextKey<'accounts'>, data?: T): AdminReply<T> {
  const msg = textsOf('accounts')(key)(ctx.state.language);
  return data === undefined ? { code: 1, msg } : { code: 1, msg, data };
}

export function refused(ctx: Replied, key: RefusalKey, challenge?: Refused['challenge']): SignInReply<never> {
  const msg = textsOf('accounts')(key)(ctx.state.language);
  const field = fieldOf(key);
  return { code: 0, msg, ...(field && { field }), ...(challenge && { challenge }) };
}

/** Responds to a sign-in: with the session, or why there is none. */
export function answerSignIn(ctx: DeskContext, identity: Pick<Identity, 'forgetGuest'>, result: NamedSignIn) {
  if ('refusal' in result) {
    ctx.body = refused(ctx, result.refusal, result.challenge);
    return;
  }
  identity.forgetGuest(ctx);
  const { token, username } = result;
  ctx.body = reply(ctx, 'signed_in', { token, username } satisfies SsoSession);
}

const ofNoField: readonly RefusalKey[] = [
  'registration_closed',
  'account_disabled',
  'challenge_over',
  'second_factor_is_on',
  'wrong_passkey',
];

function fieldOf(key: RefusalKey): AdminReply<never>['field'] {
  if (ofNoField.includes(key)) return undefined;
  if (key === 'wrong_code' || key === 'code_needed') return 'code';
  return key.startsWith('name_') ? 'username' : 'password';
}
