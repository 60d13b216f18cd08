import type { Context } from 'koa';
import type { Config } from '../../config/config.ts';
import type { LiveComposition } from '../live-composition.ts';
import type { ChoosePage } from '../pages/choose-page.ts';
import { isInShare, newSeed, readSeed } from './share.ts';

export const seedCookie = 'desk_canary';

/** How long a browser keeps its place, in ms: longer than a canary runs. */
const KEPT = 30 * 86_400_000;

/**
 * Gives a share of visitors the canary while one runs. Each browser has a random seed in a cookie of its own, set with its first page
 * (or what it is told of its next one) while a canary runs and at no other time, and decided by at once. Who keeps no cookies is drawn
 * anew each time.
 */
export function createChooseCanary(deps: {
  live: Pick<LiveComposition, 'resolve'>;
  config: Pick<Config, 'publicUrl'>;
}): ChoosePage {
  const { live, config } = deps;

  return async (ctx, { pointer }) => {
    const { canary } = pointer;
    if (!canary || canary.halted) return undefined;
    const seed = readSeed(ctx.cookies.get(seedCookie)) ?? giveSeed(ctx, config);
    if (!isInShare(seed, canary.composition, canary.share)) return undefined;
    return { composition: await live.resolve(canary.composition) };
  };
}

function giveSeed(ctx: Context, { publicUrl }: Pick<Config, 'publicUrl'>): string {
  const seed = newSeed();
  const secure = ctx.secure || publicUrl?.startsWith('https:') === true;
  // The `cookies` package refuses Secure on a plain socket, behind a proxy that ends TLS as well.
  ctx.cookies.secure = secure;
  ctx.cookies.set(seedCookie, seed, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure,
    signed: false,
    overwrite: true,
    maxAge: KEPT,
  });
  return seed;
}
