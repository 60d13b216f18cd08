import Router from '@koa/router';
import { InvitationRequest } from '../contract/one-time-links.ts';
import {
  type GroupList,
  GroupRequest,
  PeopleSearch,
  PersonChange,
  PersonTransfer,
} from '../contract/people.ts';
import { body, bodyOf, noBody } from '../http/body.ts';
import type { DeskRouter } from '../http/desk-state.ts';
import { idOf } from '../http/id-of.ts';
import type { LogSecurity } from './audit/log-security.ts';
import { signedIn } from './identify.ts';
import type { OpenAccounts } from './open-accounts.ts';
import type { Transfers } from './transfers.ts';

/** Routes for administrators to find, invite, change and delete accounts, and their groups. */
export function createPeopleRoutes(
  { people, groups, oneTimeLinks: links }: OpenAccounts,
  { transfers, logSecurity }: { transfers: Transfers; logSecurity: LogSecurity },
): DeskRouter {
  const router: DeskRouter = new Router({ prefix: '/api/people' });

  router.post('/search', body(PeopleSearch), async (ctx) => {
    ctx.body = await people.search(bodyOf(ctx, PeopleSearch));
  });

  router.patch('/:id', body(PersonChange), async (ctx) => {
    const change = bodyOf(ctx, PersonChange);
    const person = await people.change(idOf(ctx), change);
    if (change.roles ?? change.groups) logSecurity(ctx, 'permission_changed', person.id);
    if (change.isDisabled !== undefined)
      logSecurity(ctx, change.isDisabled ? 'account_disabled' : 'account_enabled', person.id);
    ctx.body = person;
  });

  router.delete('/:id', noBody(), async (ctx) => {
    const person = await people.remove(idOf(ctx));
    logSecurity(ctx, 'account_disabled', person.id);
    ctx.body = person;
  });

  router.get('/:id/shared', async (ctx) => {
    ctx.body = await transfers.read(idOf(ctx));
  });

  router.post('/:id/transfer', body(PersonTransfer), async (ctx) => {
    const id = idOf(ctx);
    const { to, left } = await transfers.start(id, bodyOf(ctx, PersonTransfer));
    logSecurity(ctx, 'responsibilities_transferred', id);
    logSecurity(ctx, 'permission_changed', to);
    ctx.body = left;
  });

  router.post('/:id/password-link', noBody(), async (ctx) => {
    const id = idOf(ctx);
    ctx.body = await links.forPassword(id, signedIn(ctx).user._id);
    ctx.status = 201;
    logSecurity(ctx, 'password_link_created', id);
  });

  router.post('/invitations', body(InvitationRequest), async (ctx) => {
    ctx.body = await links.forInvitation(bodyOf(ctx, InvitationRequest).roles, signedIn(ctx).user._id);
    ctx.status = 201;
    logSecurity(ctx, 'invitation_created', null);
  });

  router.get('/groups', async (ctx) => {
    ctx.body = { groups: await groups.list() } satisfies GroupList;
  });

  router.post('/groups', body(GroupRequest), async (ctx) => {
    ctx.body = await groups.add(bodyOf(ctx, GroupRequest));
    ctx.status = 201;
  });

  router.put('/groups/:id', body(GroupRequest), async (ctx) => {
    ctx.body = await groups.change(idOf(ctx), bodyOf(ctx, GroupRequest));
  });

  router.delete('/groups/:id', noBody(), async (ctx) => {
    await groups.remove(idOf(ctx));
    ctx.status = 204;
  });

  return router;
}
