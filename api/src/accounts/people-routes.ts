import { Readable } from 'node:stream';
import { AdministratorInfo, EditorInfo, RightRequest } from '../contract/accounts.ts';
import { AuditFilter, AuditSearch } from '../contract/audit.ts';
import { InvitationRequest } from '../contract/one-time-links.ts';
import {
  type GroupList,
  GroupRequest,
  PeopleSearch,
  PersonChange,
  PersonTransfer,
} from '../contract/people.ts';
import { bodyOf } from '../http/body.ts';
import { setFileName } from '../http/content-disposition.ts';
import type { DeskContext, DeskMiddleware } from '../http/desk-state.ts';
import { createRoutes, type DeskRoutes, idOf, noBody } from '../http/routes.ts';
import { describeAs } from '../store/describe-as.ts';
import type { UserDocument } from './account-models.ts';
import type { AuditLog } from './audit/audit-log.ts';
import type { AuditStream } from './audit/audit-stream.ts';
import type { LogSecurity } from './audit/log-security.ts';
import { signedIn } from './identify.ts';
import type { OpenAccounts } from './open-accounts.ts';
import type { Transfers } from './transfers.ts';

/** Routes for administrators to find, invite, change and delete accounts, and their groups. */
export function createPeopleRoutes(
  { people, groups, oneTimeLinks: links }: OpenAccounts,
  { transfers, logSecurity }: { transfers: Transfers; logSecurity: LogSecurity },
): DeskRoutes {
  const router = createRoutes('/api/people');

  router.post('/search', PeopleSearch, (_, given) => people.search(given));

  router.patch('/:id', PersonChange, async (ctx, change) => {
    const person = await people.change(idOf(ctx), change);
    if (change.roles ?? change.groups) logSecurity(ctx, 'permission_changed', person.id);
    if (change.isDisabled !== undefined)
      logSecurity(ctx, change.isDisabled ? 'account_disabled' : 'account_enabled', person.id);
    return person;
  });

  router.delete('/:id', noBody(), async (ctx) => {
    const person = await people.remove(idOf(ctx));
    logSecurity(ctx, 'account_disabled', person.id);
    return person;
  });

  router.get('/:id/shared', (ctx) => transfers.read(idOf(ctx)));

  router.post('/:id/transfer', PersonTransfer, async (ctx, given) => {
    const id = idOf(ctx);
    const { to, left } = await transfers.start(id, given);
    logSecurity(ctx, 'responsibilities_transferred', id);
    logSecurity(ctx, 'permission_changed', to);
    return left;
  });

  router.post('/:id/password-link', noBody(), async (ctx) => {
    const id = idOf(ctx);
    ctx.body = await links.forPassword(id, signedIn(ctx).user._id);
    ctx.status = 201;
    logSecurity(ctx, 'password_link_created', id);
  });

  router.post('/invitations', InvitationRequest, async (ctx, request) => {
    ctx.body = await links.forInvitation(request.roles, signedIn(ctx).user._id);
    ctx.status = 201;
    logSecurity(ctx, 'invitation_created', null);
  });

  router.get('/groups', async () => {
    return { groups: await groups.list() } satisfies GroupList;
  });

  router.post('/groups', GroupRequest, async (ctx, request) => {
    ctx.body = await groups.add(request);
    ctx.status = 201;
  });

  router.put('/groups/:id', GroupRequest, (ctx, request) => groups.change(idOf(ctx), request));
  router.delete('/groups/:id', noBody(), (ctx) => groups.remove(idOf(ctx)));

  return router;
}

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

export function createAuditRoutes(audit: AuditLog, stream: AuditStream | null): DeskRoutes {
  const router = createRoutes('/api/audit');

  router.post('/search', AuditSearch, async (_, given) => {
    const [page, state] = await Promise.all([audit.search(given), stream?.read() ?? null]);
    return { ...page, stream: state };
  });

  router.post('/verify', noBody(), () => audit.verify());

  router.post('/export', AuditFilter, (ctx, given) => {
    ctx.type = 'text/csv';
    setFileName(ctx, 'audit.csv', 'audit.csv');
    return Readable.from(audit.csv(given), { objectMode: false });
  });

  return router;
}
