import { AdministratorInfo, EditorInfo, RightRequest } from '../contract/accounts.ts';
import { bodyOf } from '../http/body.ts';
import type { DeskContext, DeskMiddleware } from '../http/desk-state.ts';
import { createRoutes, type DeskRoutes } from '../http/routes.ts';
import { describeAs } from '../store/describe-as.ts';
import type { UserDocument } from './account-models.ts';
import type { LogSecurity } from './audit/log-security.ts';
import type { OpenAccounts } from './open-accounts.ts';

/** Roles that operators give with `npm run accounts`: editors may change the knowledge base and answer people. */
const given = { editors: ['editor', 'agent'], administrators: ['administrator'] } as const;

/** Routes for operators to give and take roles: /ops/editors, /ops/administrators. */
export function createRoleRoutes(
  name: keyof typeof given,
  { roles, rights }: OpenAccounts,
  { needAdmin, logSecurity }: { needAdmin: DeskMiddleware; logSecurity: LogSecurity },
): DeskRoutes {
  const router = createRoutes(`/ops/${name}`);

  const toInfo = (user: UserDocument): EditorInfo | AdministratorInfo =>
    name === 'editors'
      ? describeAs(EditorInfo, { ...user, isEditor: rights.has(user, 'edit_knowledge') })
      : describeAs(AdministratorInfo, { ...user, isAdministrator: rights.has(user, 'administer') });
  const change = async (ctx: DeskContext, isGiven: boolean) => {
    const user = await roles.change(bodyOf(ctx, RightRequest).username, given[name], isGiven);
    logSecurity(ctx, 'permission_changed', user._id);
    ctx.body = toInfo(user);
  };

  router.get('/', needAdmin, async () => {
    const found = await roles.holders([...new Set([...given[name], 'administrator' as const])]);
    return { [name]: found.map(toInfo) };
  });
  router.post('/grant', needAdmin, RightRequest, (ctx) => change(ctx, true));
  router.post('/revoke', needAdmin, RightRequest, (ctx) => change(ctx, false));

  return router;
}
