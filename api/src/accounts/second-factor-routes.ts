import {
  type AdminReply,
  type RecoveryCodes,
  SecondFactorProof,
  type SecondFactorState,
} from '../contract/accounts.ts';
import { noBody } from '../http/body.ts';
import { type Answer, createRoutes, type DeskRoutes } from '../http/routes.ts';
import type { UserDocument } from './account-models.ts';
import { refused, reply } from './account-replies.ts';
import type { LogSecurity } from './audit/log-security.ts';
import { signedIn } from './identify.ts';
import type { OpenAccounts } from './open-accounts.ts';
import type { SignInLimits } from './sign-in-limits.ts';

/** /admin/second-factor: the second factor of the own account. Changes need the password and a code. */
export function createSecondFactorRoutes(
  { accounts, secondFactors, passkeys }: OpenAccounts,
  { limit, logSecurity }: { limit: SignInLimits; logSecurity: LogSecurity },
): DeskRoutes {
  const router = createRoutes('/admin/second-factor');

  router.get('/', async (ctx) => {
    const { _id } = signedIn(ctx).user;
    return {
      ...(await secondFactors.state(_id)),
      passkeys: await passkeys.list(_id),
    } satisfies SecondFactorState;
  });

  router.post('/secret', noBody(), async (ctx) => {
    const secret = await secondFactors.begin(signedIn(ctx).user._id);
    return secret ? reply(ctx, 'second_factor_begun', { secret }) : refused(ctx, 'second_factor_is_on');
  });

  /** Calls `change` if the password is right. null: the code is wrong. */
  const proven =
    (
      event: 'second_factor_on' | 'second_factor_off' | 'recovery_codes_made',
      change: (user: UserDocument, code: string) => Promise<{ data?: RecoveryCodes } | null>,
    ): Answer<SecondFactorProof> =>
    async (ctx, { password, code }) => {
      const { _id } = signedIn(ctx).user;
      const user = await accounts.findByPassword(_id, password);
      const done = user && (await change(user, code));
      logSecurity(ctx, done ? event : 'second_factor_failed', _id);
      return (
        done ? reply(ctx, event, done.data) : refused(ctx, user ? 'wrong_code' : 'wrong_password')
      ) satisfies AdminReply<RecoveryCodes>;
    };

  router.post(
    '/',
    SecondFactorProof,
    limit.bySession,
    proven('second_factor_on', async (user, code) => {
      const recoveryCodes = await secondFactors.confirm(user, code);
      return recoveryCodes && { data: { recoveryCodes } };
    }),
  );

  router.post(
    '/recovery-codes',
    SecondFactorProof,
    limit.bySession,
    proven('recovery_codes_made', async (user, code) =>
      (await secondFactors.accept(user, code))
        ? { data: { recoveryCodes: await secondFactors.renewCodes(user) } }
        : null,
    ),
  );

  router.delete(
    '/',
    SecondFactorProof,
    limit.bySession,
    proven('second_factor_off', async (user, code) => {
      if (!(await secondFactors.accept(user, code))) return null;
      await secondFactors.turnOff(user);
      return {};
    }),
  );

  return router;
}
