import { BehaviorSubject, distinctUntilChanged, map, merge, type Observable, skip } from 'rxjs';
import type { Session } from '../contract.ts';

/** The source asks for a key with this prefix. */
export const SESSION_KEY = '__persist__user';

/** Where the session is kept between visits; `host/storage` has one. */
interface Keep {
  read(key: string): string | undefined;
  write(key: string, text: string): void;
  remove(key: string): void;
}

interface Options {
  keep: Keep;
  /** Hears of other tabs by its `storage` events. */
  page: Pick<Window, 'addEventListener'>;
  /** Ends the session of `token` on the server. */
  endOnServer(token: string): Promise<unknown>;
  /** Called before a sign-in is published. */
  onSignIn(owner: string): void;
  /** Called after a sign-out has been published, not when a session merely ended. */
  onSignOut(owner: string): void;
}

export interface SessionStore extends Session {
  token$: BehaviorSubject<string>;
  /** `user:<name>`, or 'guest'. */
  owner(): string;
  /** Emits when `owner` changes, not at the start. */
  owner$: Observable<string>;
  /** The name that the server knows this session by. */
  learnName(username: string): void;
}

interface Kept {
  token: string;
  username: string;
}

const NOBODY: Kept = { token: '', username: '' };

/** The one stream of the session token: persisted, and followed across tabs. */
export function createSessionStore(options: Options): SessionStore {
  const { keep, page } = options;
  const start = parse(keep.read(SESSION_KEY));
  const token$ = new BehaviorSubject(start.token);
  const username$ = new BehaviorSubject(start.username);
  const owner = () => (token$.value ? ownerOf(username$.value) : 'guest');

  // The name comes before a token and goes after it, so that nobody sees a token under the wrong name.
  const publish = ({ token, username }: Kept) => {
    if (token && username !== username$.value) username$.next(username);
    if (token !== token$.value) token$.next(token);
    if (username !== username$.value) username$.next(username);
  };
  const change = (next: Kept) => {
    if (next.token) keep.write(SESSION_KEY, JSON.stringify(next));
    else keep.remove(SESSION_KEY);
    publish(next);
  };

  page.addEventListener('storage', (event) => {
    // A null key means that the whole storage was cleared.
    if (event.key === SESSION_KEY || event.key === null) publish(parse(event.newValue ?? undefined));
  });

  return {
    token$,
    username$,
    owner,
    owner$: merge(token$, username$).pipe(map(owner), distinctUntilChanged(), skip(1)),
    signIn(token, username) {
      const replaced = token$.value;
      options.onSignIn(ownerOf(username));
      change({ token, username });
      // Nobody holds it any more: left alive, it would be listed as one more device. Where it cannot be ended, it ages.
      if (replaced && replaced !== token) options.endOnServer(replaced).catch(() => undefined);
    },
    async signOut() {
      const leaving = { token: token$.value, owner: owner() };
      if (!leaving.token) return;
      change(NOBODY);
      options.onSignOut(leaving.owner);
      await options.endOnServer(leaving.token);
    },
    forget: () => change(NOBODY),
    learnName(username) {
      if (token$.value && username !== username$.value) change({ token: token$.value, username });
    },
  };
}

function ownerOf(username: string): string {
  return `user:${username}`;
}

/** Anything but a session of ours reads as nobody: the drawer is the visitor's, who may have put anything into it. */
function parse(text: string | undefined): Kept {
  try {
    const { token, username } = JSON.parse(text ?? '{}');
    return typeof token === 'string' && token
      ? { token, username: typeof username === 'string' ? username : '' }
      : NOBODY;
  } catch {
    return NOBODY;
  }
}
