import type { Context } from 'koa';
import { createSigner } from '../../accounts/secrets.ts';
import type { Config } from '../../config/config.ts';
import { isOnOrigin } from '../../config/variable.ts';
import type { OverrideLink } from '../../contract/compositions.ts';
import type { PageOverride } from '../../contract/pages.ts';
import { setCookie } from '../../http/set-cookie.ts';
import { databaseDate, databaseNow } from '../../store/database-clock.ts';
import { PRODUCTION } from '../data/environment.ts';
import type { Release } from '../data/release.ts';
import type {
  Live,
  LiveComposition,
  PageChoice,
  ResolvedComposition,
  ResolvedPart,
} from '../live/live-composition.ts';
import type { Previews } from './previews.ts';

/** Describes the content of a link to the person who opened it. */
export interface Offer {
  /** Name of a preview; null if it has none. */
  name: string | null;
  override: Override;
  composition: ResolvedComposition;
  live: ResolvedComposition;
}

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

  /**
   * The composition that an override shows. undefined if it is no longer valid: its remote is no longer live, its preview has expired,
   * or its address has an origin that is not allowed any more. Rejects if its composition cannot be read.
   */
  async function overriddenPage(
    { aim, expiresAt }: Override,
    current: ResolvedComposition,
  ): Promise<(PageChoice & { override: PageOverride }) | undefined> {
    const until = { expiresAt: expiresAt.toISOString() };
    if (aim.kind !== 'remote') {
      const preview = aim.kind === 'preview' ? await previews.find(aim.preview) : { name: null };
      if (!preview) return undefined;
      const named = preview.name === null ? {} : { name: preview.name };
      const composition = await live.resolve(aim.composition);
      return { composition, override: { kind: 'composition', ...until, ...named } };
    }
    const { remote, address } = aim;
    const isLive = current.remotes.some((part) => part.live.name === remote);
    if (!isLive || !isOnOrigin(address, config.releaseOrigins)) return undefined;
    const remotes = current.remotes.map((part) =>
      part.live.name === remote ? developed(part, address) : part,
    );
    return { composition: { ...current, remotes }, override: { kind: 'remote', remote, address, ...until } };
  }

  async function offerOf(override: Override | undefined): Promise<Offer | undefined> {
    const now = await live.read();
    if (!now || !override) return undefined;
    // A composition that has been removed is no error of the visitor who opens the link.
    const page = await overriddenPage(override, now.composition).catch(() => undefined);
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
    /** The content of a link; undefined if it has expired or is invalid. */
    offer: (token: string): Promise<Offer | undefined> => offerOf(tokens.read(token, databaseDate())),
    /** The same for the link of a preview. */
    async offerPreview(link: string): Promise<Offer | undefined> {
      const preview = await previews.open(link);
      if (!preview) return undefined;
      const { _id, composition, author, token, expiresAt } = preview;
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
      const page = override && (await overriddenPage(override, now.composition));
      if (!page) {
        leave(ctx);
        return undefined;
      }
      const { aim } = override;
      if (aim.kind !== 'preview' || (await previews.find(aim.preview))?.composition === aim.composition)
        return page;
      // The preview has changed since the visitor agreed to it.
      const confirmAt = `/chatbot/preview/${previews.linkOf(aim.preview)}`;
      return { composition: now.composition, confirmAt };
    },
  };
}

/** Expires with the override. By environment, since all ports of a host name share cookies. */
function cookieName({ environment }: Pick<Config, 'environment'>): string {
  return environment === PRODUCTION ? 'desk_override' : `desk_override_${environment}`;
}

/** The part as the developer's server provides it, with unknown files. Falls back to the live release. */
function developed({ live }: ResolvedPart, address: string): ResolvedPart {
  const base = new URL('.', address).href;
  const release: Release = {
    ...live,
    version: 'dev',
    base,
    entry: new URL(address).href.slice(base.length),
    entryFiles: { js: [], css: [] },
    exposes: live.exposes.map(({ name }) => ({ name, js: [], css: [] })),
    files: [],
  };
  return { live: release, previous: live };
}

/**
 * Replaces the live composition for one visitor: by a remote from a developer's server, or by a composition that is
 * not live, named by its id or by a preview, whose composition may change.
 */
export type OverrideAim =
  | { kind: 'remote'; remote: string; address: string }
  | { kind: 'composition'; composition: string }
  /** `composition` is the one that the preview showed when the visitor agreed to it. */
  | { kind: 'preview'; preview: string; composition: string };

export interface Override {
  aim: OverrideAim;
  expiresAt: Date;
  /** Who made the link: the name they gave, and that of their token. Missing in cookies. */
  by?: { author: string; token: string } | undefined;
}

/** Signed text for URLs and cookies, by the second; nothing is stored. `key` is for overrides only. */
export function createOverrideTokens(key: Buffer) {
  const { sign, isSigned } = createSigner(key);

  return {
    write({ expiresAt, ...signed }: Override): string {
      const seconds = Math.floor(expiresAt.getTime() / 1000);
      const text = `${Buffer.from(JSON.stringify(signed)).toString('base64url')}.${seconds.toString(36)}`;
      return `${text}.${sign(text)}`;
    },
    /** Returns undefined unless `token` was signed by this installation and has not expired. */
    read(token: string, now: Date): Override | undefined {
      const [, signed = '', seconds = '', signature = ''] =
        /^([\w-]{1,3000})\.([0-9a-z]{1,10})\.([\w-]{43})$/.exec(token) ?? [];
      if (!isSigned(`${signed}.${seconds}`, signature)) return undefined;
      const expiresAt = new Date(Number.parseInt(seconds, 36) * 1000);
      if (expiresAt <= now) return undefined;
      const override = JSON.parse(Buffer.from(signed, 'base64url').toString()) as Omit<Override, 'expiresAt'>;
      return { ...override, expiresAt };
    },
  };
}
