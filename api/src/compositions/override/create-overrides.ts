import type { Context } from 'koa';
import type { Config } from '../../config/config.ts';
import type { OverrideLink } from '../../contract/contract.ts';
import type { LiveComposition } from '../live-composition.ts';
import type { ChoosePage } from '../pages/choose-page.ts';
import { overriddenPage } from './overridden-page.ts';
import { createOverrideCookie } from './override-cookie.ts';
import { createOverrideTokens, type Override, type OverrideAim } from './override-tokens.ts';

/** Lets one visitor, for a time, see something else than what is live; nobody else's page changes. */
export interface Overrides {
  /** A link for whoever shall see it. `origin` is where visitors find the desk. */
  link(aim: OverrideAim, minutes: number, origin: string): OverrideLink;
  /** Begins the override of a link in the browser that follows it; false when it has run out or means nothing here. */
  enter(ctx: Context, token: string): Promise<boolean>;
  leave(ctx: Context): void;
  /** This visitor's override, if there is one. Takes away a cookie that means nothing any more. */
  choose: ChoosePage;
}

/** `key` serves overrides alone, see `deriveKey`. */
export function createOverrides({
  key,
  config,
  live,
}: {
  key: Buffer;
  config: Pick<Config, 'releaseOrigins' | 'publicUrl'>;
  live: LiveComposition;
}): Overrides {
  const tokens = createOverrideTokens(key);
  const cookie = createOverrideCookie(config);
  const { resolve } = live;
  const allowed = { resolve, origins: config.releaseOrigins };

  async function isMeaningful(override: Override): Promise<boolean> {
    const now = await live.read();
    if (!now) return false;
    // A composition that has been swept away is no failure of whoever follows the link.
    return !!(await overriddenPage(override, now.composition, allowed).catch(() => undefined));
  }

  return {
    link(aim, minutes, origin) {
      const seconds = Math.floor(Date.now() / 1000) + minutes * 60;
      const expiresAt = new Date(seconds * 1000);
      const token = tokens.write({ aim, expiresAt });
      return { url: `${origin}/chatbot/override/${token}`, expiresAt: expiresAt.toISOString() };
    },
    async enter(ctx, token) {
      const override = tokens.read(token, new Date());
      if (!override || !(await isMeaningful(override))) return false;
      cookie.set(ctx, token, override.expiresAt);
      return true;
    },
    leave: cookie.clear,
    async choose(ctx, now) {
      const token = cookie.read(ctx);
      if (token === '') return undefined;
      const override = tokens.read(token, new Date());
      const page = override && (await overriddenPage(override, now.composition, allowed));
      if (!page) cookie.clear(ctx);
      return page;
    },
  };
}
