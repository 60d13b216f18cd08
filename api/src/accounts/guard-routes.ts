import type { Operation } from '../contract/operation.ts';
import { operations } from '../contract/operations.ts';
import { Right } from '../contract/rights.ts';
import { ApiError } from '../errors/errors.ts';
import type { DeskMiddleware, DeskRouter, SessionUser } from '../http/desk-state.ts';
import type { Identity } from './identify.ts';
import type { OpenStreams } from './open-streams.ts';
import type { Rights } from './rights.ts';

/**
 * Returns a function that adds to each route below /api and /admin the checks of who may call it, as the table of operations
 * says. Sets `state.owner`, `state.rights`, for accounts `state.signedIn`, and for event streams `state.ended`.
 * @throws Error if a route is not in the table
 */
export function createRouteGuard(deps: {
  identity: Pick<Identity, 'identify' | 'needToken'>;
  rights: Rights;
  streams: Pick<OpenStreams, 'follow'>;
  requireSignIn: boolean;
  /** Whether an account may change any knowledge. */
  isEditor(user: SessionUser): Promise<boolean>;
}): (router: DeskRouter) => void {
  const { identity, rights, streams, requireSignIn, isEditor } = deps;

  const withRights =
    (identify: DeskMiddleware, { access, events }: Operation): DeskMiddleware =>
    (ctx, next) =>
      identify(ctx, async () => {
        const { signedIn } = ctx.state;
        ctx.state.rights = rights.of(signedIn?.user ?? null);
        const right = Right.safeParse(access).data;
        if (right && !ctx.state.rights.includes(right)) throw new ApiError('forbidden');
        if (access === 'edit_collection' && !(signedIn && (await isEditor(signedIn.user))))
          throw new ApiError('forbidden');
        if (events) ctx.state.ended = streams.follow(ctx, right ?? null);
        await next();
      });

  /** null: everyone, who is not identified and gets no cookies. */
  function guardOf(operation: Operation): DeskMiddleware | null {
    const { access } = operation;
    if (access === 'anyone' || (access === 'link' && !requireSignIn)) return null;
    return withRights(access === 'ask' ? identity.identify : identity.needToken, operation);
  }

  return (router) => {
    for (const { path, methods, stack } of router.stack) {
      const method = methods.find((one) => one !== 'HEAD');
      if (typeof path !== 'string' || !/^\/(api|admin)(\/|$)/.test(path) || !method) continue;
      const call = `${method} ${path.replace(/\/$/, '')}`;
      const operation = operations[call];
      if (!operation) throw new Error(`${call} is not in the table of operations`);
      const guard = guardOf(operation);
      if (guard) stack.unshift(guard);
    }
  };
}
