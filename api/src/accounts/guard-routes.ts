import type { Access } from '../contract/operation.ts';
import { operations } from '../contract/operations.ts';
import { Right } from '../contract/rights.ts';
import { ApiError } from '../errors/errors.ts';
import type { DeskMiddleware, DeskRouter } from '../http/desk-state.ts';
import type { Identity } from './identify.ts';
import type { Rights } from './rights.ts';

/**
 * Returns a function that puts before each route below /api and /admin what the table of operations says about who
 * may call it. Sets `state.owner`, `state.rights` and, for accounts, `state.signedIn`.
 * @throws Error if a route is not in the table
 */
export function createRouteGuard(deps: {
  identity: Pick<Identity, 'identify' | 'needToken'>;
  rights: Rights;
  requireSignIn: boolean;
}): (router: DeskRouter) => void {
  const { identity, rights, requireSignIn } = deps;

  const withRights =
    (identify: DeskMiddleware, access: Access): DeskMiddleware =>
    (ctx, next) =>
      identify(ctx, () => {
        ctx.state.rights = rights.of(ctx.state.signedIn?.user ?? null);
        const right = Right.safeParse(access).data;
        if (right && !ctx.state.rights.includes(right)) throw new ApiError('forbidden');
        return next();
      });

  /** null: everyone, who is not identified and gets no cookies. */
  function guardOf(access: Access): DeskMiddleware | null {
    if (access === 'anyone' || (access === 'link' && !requireSignIn)) return null;
    return withRights(access === 'ask' ? identity.identify : identity.needToken, access);
  }

  return (router) => {
    for (const { path, methods, stack } of router.stack) {
      const method = methods.find((one) => one !== 'HEAD');
      if (typeof path !== 'string' || !/^\/(api|admin)(\/|$)/.test(path) || !method) continue;
      const call = `${method} ${path.replace(/\/$/, '')}`;
      const operation = operations[call];
      if (!operation) throw new Error(`${call} is not in the table of operations`);
      const guard = guardOf(operation.access);
      if (guard) stack.unshift(guard);
    }
  };
}
