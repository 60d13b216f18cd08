import Router from '@koa/router';
import { PeopleSearch, PersonChange } from '../contract/people.ts';
import { body, bodyOf } from '../http/body.ts';
import type { DeskRouter } from '../http/desk-state.ts';
import type { LogSecurity } from './log-security.ts';
import type { People } from './people.ts';

/** Routes for administrators to find accounts, and change their roles. */
export function createPeopleRoutes(deps: { people: People; logSecurity: LogSecurity }): DeskRouter {
  const { people, logSecurity } = deps;
  const router: DeskRouter = new Router({ prefix: '/api/people' });

  router.post('/search', body(PeopleSearch), async (ctx) => {
    ctx.body = await people.search(bodyOf(ctx, PeopleSearch));
  });

  router.patch('/:id', body(PersonChange), async (ctx) => {
    const change = bodyOf(ctx, PersonChange);
    const person = await people.change(ctx.params.id ?? '', change);
    if (change.roles) logSecurity(ctx, 'permission_changed', person.id);
    if (change.isDisabled !== undefined)
      logSecurity(ctx, change.isDisabled ? 'account_disabled' : 'account_enabled', person.id);
    ctx.body = person;
  });

  return router;
}
