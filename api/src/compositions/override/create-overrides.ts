import type { Context } from 'koa';
import type { Config } from '../../config/config.ts';
import type { OverrideLink } from '../../contract/compositions.ts';
import { setCookie } from '../../http/set-cookie.ts';
import { PRODUCTION } from '../environment.ts';
import type { LiveComposition } from '../live-composition.ts';
import type { ChoosePage } from '../pages/choose-page.ts';
import { overriddenPage } from './overridden-page.ts';
import { createOverrideTokens, type Override, type OverrideAim } from './override-tokens.ts';
import type { Previews } from './previews.ts';

/**
 * Lets one visitor see something other than the live composition for a limited time; pages of others do not
 * change.
 */
export interface Overrides {
  /** Creates a link. `origin` is the public origin of the application. */
  link(aim: OverrideAim, minutes: number, origin: string): OverrideLink;
  /** Starts the override of a link in the browser that opened it; false if it has expired or is invalid. */
  enter(ctx: Context, token: string): Promise<boolean>;
  /** The same for the link of a preview. */
  enterPreview(ctx: Context, link: string): Promise<boolean>;
  leave(ctx: Context): void;
  /** This visitor's override, if any. Deletes an invalid cookie. */
  choose: ChoosePage;
}

/** `key` is used for overrides of this environment only, see `deriveKey`. */
export function createOverrides({
  key,
  config,
  live,
  previews,
}: {
  key: Buffer;
  config: Pick<Config, 'environment' | 'releaseOrigins' | 'publicUrl'>;
  live: LiveComposition;
  previews: Pick<Previews, 'open' | 'find'>;
}): Overrides {
  const tokens = createOverrideTokens(key);
  const cookie = createOverrideCookie(config);
  const { resolve } = live;
  const allowed = { resolve, origins: config.releaseOrigins, findPreview: previews.find };

  async function isMeaningful(override: Override): Promise<boolean> {
    const now = await live.read();
    if (!now) return false;
    // A composition that has been removed is no error of the visitor who opens the link.
    return !!(await overriddenPage(override, now.composition, allowed).catch(() => undefined));
  }

  async function start(ctx: Context, override: Override): Promise<boolean> {
    if (!(await isMeaningful(override))) return false;
    cookie.set(ctx, tokens.write(override), override.expiresAt);
    return true;
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
      return !!override && start(ctx, override);
    },
    async enterPreview(ctx, link) {
      const preview = await previews.open(link);
      if (!preview) return false;
      const { _id, expiresAt } = preview;
      return start(ctx, { aim: { kind: 'preview', preview: _id }, expiresAt });
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

/**
 * Cookie of the browser that opened an override link; expires together with the override. Named by environment,
 * since cookies are shared by all ports of a host name.
 */
function cookieName({ environment }: Pick<Config, 'environment'>): string {
  return environment === PRODUCTION ? 'desk_override' : `desk_override_${environment}`;
}

interface OverrideCookie {
  /** '' if there is none. */
  read(ctx: Context): string;
  set(ctx: Context, token: string, expiresAt: Date): void;
  clear(ctx: Context): void;
}

function createOverrideCookie(config: Pick<Config, 'environment' | 'publicUrl'>): OverrideCookie {
  const name = cookieName(config);
  return {
    read: (ctx) => ctx.cookies.get(name) ?? '',
    set: (ctx, token, expiresAt) =>
      setCookie(ctx, config, name, token, { maxAge: expiresAt.getTime() - Date.now() }),
    clear: (ctx) => setCookie(ctx, config, name, '', { maxAge: 0 }),
  };
}
