import type { Context } from 'koa';
import type { Config } from '../../config/config.ts';
import type { OverrideLink } from '../../contract/compositions.ts';
import { setCookie } from '../../http/set-cookie.ts';
import { databaseDate, databaseNow } from '../../store/database-clock.ts';
import { PRODUCTION } from '../data/environment.ts';
import type { Live, LiveComposition, PageChoice } from '../live/live-composition.ts';
import { overriddenPage } from './overridden-page.ts';
import type { Offer } from './override-pages.ts';
import { createOverrideTokens, type Override } from './override-tokens.ts';
import type { Previews } from './previews.ts';

export type Overrides = ReturnType<typeof createOverrides>;

/**
 * `key` is used for overrides of this environment only, see `deriveKey`. Lets one visitor see something other than
 * the live composition for a limited time; pages of others do not change.
 */
export function createOverrides(deps: {
  key: Buffer;
  config: Pick<Config, 'environment' | 'releaseOrigins' | 'publicUrl'>;
  live: LiveComposition;
  previews: Pick<Previews, 'open' | 'find' | 'linkOf'>;
}) {
  const { key, config, live, previews } = deps;
  const tokens = createOverrideTokens(key);
  const cookie = cookieName(config);
  /** '' if there is none. */
  const tokenOf = (ctx: Context): string => ctx.cookies.get(cookie) ?? '';
  const leave = (ctx: Context): void => setCookie(ctx, config, cookie, '', { maxAge: 0 });
  const { resolve } = live;
  const allowed = { resolve, origins: config.releaseOrigins, findPreview: previews.find };

  async function offerOf(override: Override | undefined): Promise<Offer | undefined> {
    const now = await live.read();
    if (!now || !override) return undefined;
    // A composition that has been removed is no error of the visitor who opens the link.
    const page = await overriddenPage(override, now.composition, allowed).catch(() => undefined);
    if (!page) return undefined;
    const name = ('name' in page.override && page.override.name) || null;
    return { name, override, composition: page.composition, live: now.composition };
  }

  return {
    /** Creates a link. `origin` is the public origin of the application. */
    link(override: Pick<Override, 'aim' | 'by'>, minutes: number, origin: string): OverrideLink {
      const seconds = Math.floor(databaseNow() / 1000) + minutes * 60;
      const expiresAt = new Date(seconds * 1000);
      const token = tokens.write({ ...override, expiresAt });
      return { url: `${origin}/chatbot/override/${token}`, expiresAt: expiresAt.toISOString() };
    },
    /** What a link would show; undefined if it has expired or is invalid. */
    offer: (token: string): Promise<Offer | undefined> => offerOf(tokens.read(token, databaseDate())),
    /** The same for the link of a preview. */
    async offerPreview(link: string): Promise<Offer | undefined> {
      const preview = await previews.open(link);
      if (!preview) return undefined;
      const { _id, composition, author, token = '–', expiresAt } = preview;
      return offerOf({
        aim: { kind: 'preview', preview: _id, composition },
        expiresAt,
        by: { author, token },
      });
    },
    /** Starts an override in the browser whose visitor has agreed to it. */
    enter: (ctx: Context, { aim, expiresAt }: Override): void =>
      setCookie(ctx, config, cookie, tokens.write({ aim, expiresAt }), {
        maxAge: expiresAt.getTime() - databaseNow(),
      }),
    leave,
    /** Whether this browser has an override that has not expired. */
    isActive: (ctx: Context): boolean => tokens.read(tokenOf(ctx), databaseDate()) !== undefined,
    /** This visitor's override, if any. Deletes an invalid cookie. */
    async choose(ctx: Context, now: Live): Promise<PageChoice | undefined> {
      const token = tokenOf(ctx);
      if (token === '') return undefined;
      const override = tokens.read(token, databaseDate());
      const page = override && (await overriddenPage(override, now.composition, allowed));
      if (!page) {
        leave(ctx);
        return undefined;
      }
      const { aim } = override;
      if (aim.kind !== 'preview' || (await previews.find(aim.preview))?.composition === aim.composition)
        return page;
      // The visitor has not agreed to what the preview shows now.
      const confirmAt = `/chatbot/preview/${previews.linkOf(aim.preview)}`;
      return { composition: now.composition, confirmAt };
    },
  };
}

/** Expires with the override. By environment, since all ports of a host name share cookies. */
function cookieName({ environment }: Pick<Config, 'environment'>): string {
  return environment === PRODUCTION ? 'desk_override' : `desk_override_${environment}`;
}
