import type { Context, Middleware } from 'koa';
import type { Config } from '../config/config.ts';
import { ApiError } from '../errors/errors.ts';
import { bearerOf } from '../http/bearer.ts';
import type { DeskState } from '../http/desk-state.ts';
import { cookieName, setCookie } from '../http/set-cookie.ts';
import { describeDevice } from './describe-device.ts';
import type { GuestCookie, GuestCookies } from './guest-cookie.ts';
import { type Guests, guestOwner, userOwner } from './guests.ts';
import type { Sessions } from './sessions.ts';

const guestCookie = 'desk_guest';
const csrfCookie = 'XSRF-TOKEN';
const csrfHeader = 'X-XSRF-TOKEN';
/**
 * Cookie with the session for forms that are submitted without scripts or before scripts run; it authorises no other request.
 * The host's scripts set and remove it together with the token that they store, see host/src/session/session-store.ts.
 */
const sessionCookie = 'desk_session';
const formSessionMs = 86_400_000;
/** Hands a session that a form started over to the host's scripts. */
const handedCookie = 'desk-signed-in';
const handedMs = 600_000;
const day = 86_400_000;

type DeskContext = Context & { state: DeskState };

export type Identity = ReturnType<typeof createIdentity>;

/**
 * An invalid token gets 401 `session_ended` and is never treated as a guest. Write requests authorised by the
 * guest's cookie need the CSRF token bound to it, in a header.
 */
export function createIdentity(deps: {
  sessions: Sessions;
  guests: Guests;
  cookies: GuestCookies;
  config: Pick<Config, 'requireSignIn' | 'publicUrl' | 'guestDays'>;
}) {
  const { sessions, guests, cookies, config } = deps;

  async function identifyByToken(ctx: DeskContext, token: string): Promise<void> {
    const signedIn = token === '' ? null : await sessions.find(token);
    if (!signedIn) throw new ApiError('session_ended');
    ctx.state.signedIn = signedIn;
    ctx.state.owner = userOwner(signedIn.user._id);
  }

  /** `isProven`: the request is known to come from a page of this host. */
  async function identifyByCookie(ctx: DeskContext, isProven = false): Promise<void> {
    if (config.requireSignIn) throw new ApiError('sign_in_required');
    const read = readGuest(ctx);
    const known = read && (await guests.recognise(read.id)) ? read : null;
    const isWrite = !['GET', 'HEAD', 'OPTIONS'].includes(ctx.method);
    if (known && isWrite && !isProven && !cookies.isCsrfToken(known.id, ctx.get(csrfHeader))) {
      // Sends the correct token, so that the page can simply retry.
      setCookies(ctx, known.id);
      throw new ApiError('csrf_failed');
    }
    const guest = known ?? cookies.create();
    const hasToken = ctx.cookies.get(csrfCookie) === cookies.csrfToken(guest.id);
    if (guest.isStale || !hasToken) setCookies(ctx, guest.id);
    ctx.state.owner = guestOwner(guest.id);
  }

  /**
   * The guest of the cookie. A page on another host of the domain can set a second cookie without the prefix,
   * but none with it. Of several without the prefix, the one that matches the CSRF token is used.
   */
  function readGuest(ctx: Context): GuestCookie | null {
    const name = cookieName(ctx, guestCookie, config);
    const own = cookiesOf(ctx, name);
    const isOld = own.length === 0 && name !== guestCookie;
    const found = (isOld ? cookiesOf(ctx, guestCookie) : own).flatMap((value) => cookies.read(value) ?? []);
    const guest = found.find(({ id }) => cookies.isCsrfToken(id, ctx.get(csrfHeader))) ?? found[0];
    if (!guest) return null;
    return isOld ? { ...guest, isStale: true } : guest;
  }

  function setCookies(ctx: Context, id: string): void {
    const maxAge = config.guestDays * day;
    const name = cookieName(ctx, guestCookie, config);
    setCookie(ctx, config, name, cookies.write(id), { maxAge });
    if (name !== guestCookie && cookiesOf(ctx, guestCookie).length > 0)
      setCookie(ctx, config, guestCookie, '', { maxAge: 0 });
    setCookie(ctx, config, csrfCookie, cookies.csrfToken(id), { maxAge, isReadable: true });
  }

  return {
    /** Sets `state.owner`: the account of a token, the guest of the cookie, or else a new guest. */
    identify: (async (ctx, next) => {
      const token = bearerOf(ctx);
      await (token === null ? identifyByCookie(ctx) : identifyByToken(ctx, token));
      await next();
    }) satisfies Middleware<DeskState>,
    /**
     * The same for a form that a browser submits without scripts and therefore without a header: identifies the account of the
     * session cookie, otherwise the guest. To be used after `needOwnForm`.
     */
    identifyForm: (async (ctx, next) => {
      const token = ctx.cookies.get(cookieName(ctx, sessionCookie, config)) ?? '';
      await identifyByToken(ctx, token).catch((cause: unknown) => {
        if (!(cause instanceof ApiError) || cause.error !== 'session_ended') throw cause;
        return identifyByCookie(ctx, true);
      });
      await next();
    }) satisfies Middleware<DeskState>,
    /**
     * Stores a session that was started by a form: for further forms, and for a few minutes where the host's scripts find it, see
     * host/src/session/session-store.ts.
     */
    keepSession(ctx: Context, token: string, username: string): void {
      const forms = { maxAge: formSessionMs, isReadable: true };
      setCookie(ctx, config, cookieName(ctx, sessionCookie, config), token, forms);
      const handed = encodeURIComponent(JSON.stringify({ token, username }));
      setCookie(ctx, config, handedCookie, handed, { maxAge: handedMs, isReadable: true, path: '/chatbot' });
    },
    /** For unknown routes: an expired token is reported there as well. */
    refuseEnded: (async (ctx, next) => {
      const token = /^\/(api|admin)\//i.test(ctx.path) ? bearerOf(ctx) : null;
      if (token !== null) await identifyByToken(ctx, token);
      await next();
    }) satisfies Middleware<DeskState>,
    needToken: (async (ctx, next) => {
      const token = bearerOf(ctx);
      if (token === null) throw new ApiError('sign_in_required');
      await identifyByToken(ctx, token);
      await next();
    }) satisfies Middleware<DeskState>,
    /** Who signs up or in: the guest of the request's cookie, and the device. */
    visitOf: (ctx: Context) => ({
      guestId: readGuest(ctx)?.id ?? null,
      device: describeDevice(ctx.get('User-Agent')),
    }),
    /** Deletes the guest's cookies after an account has adopted its data. */
    forgetGuest(ctx: Context): void {
      for (const name of new Set([cookieName(ctx, guestCookie, config), guestCookie]))
        setCookie(ctx, config, name, '', { maxAge: 0 });
      setCookie(ctx, config, csrfCookie, '', { maxAge: 0, isReadable: true });
    },
  };
}

/** The account and session of a request. To be used after `needToken`. */
export function signedIn({ state }: DeskContext): NonNullable<DeskState['signedIn']> {
  if (!state.signedIn) throw new Error('needToken must come before this');
  return state.signedIn;
}

/** All values of a cookie: a browser sends one per domain and path. */
function cookiesOf(ctx: Context, name: string): string[] {
  return ctx
    .get('Cookie')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
}
