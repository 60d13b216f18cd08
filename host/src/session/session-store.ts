import { deskAddress } from 'host/ui/desk-address.ts';
import { BehaviorSubject, distinctUntilChanged, map, merge, skip } from 'rxjs';
import type { KeyValueStore } from '../storage/key-value-store.ts';
import { readPageCookie, writePageCookie } from '../storage/page-cookie.ts';

/** The specification requires a key with this prefix. */
export const SESSION_KEY = '__persist__user';

interface Options {
  keyValues: Pick<KeyValueStore, 'read' | 'write' | 'remove'>;
  /** Receives the `storage` events of other tabs. */
  page: Pick<Window, 'addEventListener'>;
  /** Ends the session of `token` on the server. Resolves with the address where the session at its provider can be ended, if it has one. */
  endOnServer(token: string): Promise<string | undefined>;
  /** Leaves the page and opens that address. */
  leave(url: string): void;
  /** Called when the browser can store a sign-in only until the page is left. */
  onUnstored?(): void;
  /** Called before a sign-in is published. */
  onSignIn(owner: string): void;
  /** Called after a sign-out was published, but not when a session ended otherwise. */
  onSignOut(owner: string): void;
}

export type SessionStore = ReturnType<typeof createSessionStore>;

/** Name of the cookie in which the server hands over the session of a sign-in form that was sent before scripts ran. */
const HANDED_COOKIE = 'desk-signed-in';
/** Lifetime of the cookie, which every page renews. */
const FORM_SESSION_S = 30 * 86_400;

/** Stores the session in a cookie for forms that are sent before scripts run; the server reads it for these only. '' removes it. */
export function writeFormSession(page: Pick<Document, 'cookie' | 'location'>, token: string): void {
  const isSecure = page.location.protocol === 'https:';
  const path = deskAddress('/');
  const [prefix, secure] = isSecure ? [path === '/' ? '__Host-' : '__Secure-', '; Secure'] : ['', ''];
  page.cookie = `${prefix}desk_session=${token}; Path=${path}; SameSite=Lax; Max-Age=${token ? FORM_SESSION_S : 0}${secure}`;
}

/** Reads the session from that cookie and removes it. */
export function takeHandedSession(page: { cookie: string }): StoredSession | undefined {
  const text = readPageCookie(page, HANDED_COOKIE);
  if (!text) return undefined;
  writePageCookie(page, HANDED_COOKIE, '', 0);
  const { token, username } = parse(decodeURIComponent(text));
  return token ? { token, username } : undefined;
}

interface StoredSession {
  token: string;
  username: string;
}

const SIGNED_OUT: StoredSession = { token: '', username: '' };

/** The session token, persisted and synchronised between tabs. */
export function createSessionStore(options: Options) {
  const { keyValues, page } = options;
  const start = parse(keyValues.read(SESSION_KEY));
  const token$ = new BehaviorSubject(start.token);
  const username$ = new BehaviorSubject(start.username);
  /** `user:<name>`, or 'guest'. */
  const owner = () => (token$.value ? ownerOf(username$.value) : 'guest');

  // The name is set before a token and cleared after it, so that subscribers never see a token with the wrong name.
  const publish = ({ token, username }: StoredSession) => {
    if (token && username !== username$.value) username$.next(username);
    if (token !== token$.value) token$.next(token);
    if (username !== username$.value) username$.next(username);
  };
  const change = (next: StoredSession) => {
    const isStored = next.token ? keyValues.write(SESSION_KEY, JSON.stringify(next)) : true;
    if (!next.token) keyValues.remove(SESSION_KEY);
    publish(next);
    return isStored;
  };

  page.addEventListener('storage', (event) => {
    // A null key means that the whole storage was cleared.
    if (event.key === SESSION_KEY || event.key === null) publish(parse(event.newValue ?? undefined));
  });

  return {
    token$,
    username$,
    owner,
    /** Emits when `owner` changes, not at the start. */
    owner$: merge(token$, username$).pipe(map(owner), distinctUntilChanged(), skip(1)),
    signIn(token: string, username: string): void {
      const replaced = token$.value;
      options.onSignIn(ownerOf(username));
      if (!change({ token, username })) options.onUnstored?.();
      // Nothing uses the old session any more; otherwise it would be listed as another device. If ending it fails, it expires.
      if (replaced && replaced !== token) options.endOnServer(replaced).catch(() => undefined);
    },
    async signOut(): Promise<void> {
      const leaving = { token: token$.value, owner: owner() };
      if (!leaving.token) return;
      change(SIGNED_OUT);
      options.onSignOut(leaving.owner);
      const url = await options.endOnServer(leaving.token);
      if (url) options.leave(url);
    },
    forget: (): void => void change(SIGNED_OUT),
    /** Updates the username after the server has returned it. */
    setUsername(username: string): void {
      if (token$.value && username !== username$.value) change({ token: token$.value, username });
    },
  };
}

function ownerOf(username: string): string {
  return `user:${username}`;
}

/** Anything invalid reads as signed out: local storage can be edited by the visitor. */
function parse(text: string | undefined): StoredSession {
  try {
    const { token, username } = JSON.parse(text ?? '{}');
    return typeof token === 'string' && token
      ? { token, username: typeof username === 'string' ? username : '' }
      : SIGNED_OUT;
  } catch {
    return SIGNED_OUT;
  }
}
