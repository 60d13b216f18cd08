import type { Context } from 'koa';
import type { Config } from '../../config/config.ts';
import { setCookie } from '../../http/set-cookie.ts';
import { compositionFor, runningCanaries } from '../data/canary-mixes.ts';
import type { ChoosePage } from '../live/choose-page.ts';
import type { LiveComposition } from '../live/live-composition.ts';
import { isInShare, newSeed, readSeed } from './rollout-bucket.ts';

const seedCookie = 'desk_canary';

/** Lifetime of the seed cookie in ms: longer than a canary runs. */
const SEED_LIFETIME_MS = 30 * 86_400_000;

/**
 * Assigns a share of visitors to each running canary, independently of the others. Each browser gets a random seed in its own
 * cookie, set with its first page (or with the first request for its next composition) and only while a
 * canary runs. Browsers without cookies are assigned anew on each request.
 */
export function createChooseCanary(deps: {
  live: Pick<LiveComposition, 'resolve'>;
  config: Pick<Config, 'publicUrl'>;
}): ChoosePage {
  const { live, config } = deps;

  return async (ctx, { pointer }) => {
    const running = runningCanaries(pointer);
    if (running.length === 0) return undefined;
    const seed = readSeed(ctx.cookies.get(seedCookie)) ?? giveSeed(ctx, config);
    const ids = running.filter(({ id, share }) => isInShare(seed, id, share)).map(({ id }) => id);
    const composition = compositionFor(pointer, ids);
    if (composition === undefined || composition === pointer.composition) return undefined;
    return { composition: await live.resolve(composition) };
  };
}

function giveSeed(ctx: Context, config: Pick<Config, 'publicUrl'>): string {
  const seed = newSeed();
  setCookie(ctx, config, seedCookie, seed, { maxAge: SEED_LIFETIME_MS });
  return seed;
}
