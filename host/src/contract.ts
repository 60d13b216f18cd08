/**
 * What the host hands to every screen, as types only. Remotes import this file by `import type`; nothing in it runs.
 * The contract's version is semver: a field added is a minor step, a field changed or taken away a major one.
 */
import type { AxiosRequestConfig, AxiosResponse } from 'axios';
import type { ComponentType, ReactNode } from 'react';
import type { BehaviorSubject, Observable } from 'rxjs';

export type HostContractVersion = '1.5.0';

export type Language = 'zh' | 'en';
export type ThemeChoice = 'light' | 'dark' | 'system';
export type ToastKind = 'success' | 'info' | 'warning' | 'error';

/**
 * The default export of an exposed module. It stands beside the rail and renders its own `<main id="main" tabIndex={-1}>` with an
 * `<h1>`: the skip link and the focus after a change of route go there.
 */
export type Screen = ComponentType<ScreenProps>;

export interface ScreenProps {
  services: HostServices;
  /** The language of this render; the screen is rendered anew when the visitor switches. */
  language: Language;
  /** Language, theme and account: the screen puts this at the end of its head. */
  controls: ReactNode;
}

/** Everything a remote may use of the host. The objects live as long as the page. */
export interface HostServices {
  /** The one stream of the session token; '' when not signed in. Follows other tabs. Read it; `session` writes it. */
  token$: BehaviorSubject<string>;
  session: Session;
  http: Http;
  storage: Storage;
  toasts: Toasts;
  i18n: I18n;
  theme: Theme;
  avatars: Avatars;
  /** Since 1.2.0. */
  updates: Updates;
  /**
   * Reports an error that the remote has caught, so that the health of its release shows it; of an error that the host has seen already
   * nothing is reported twice. Since 1.3.0. A file that did not load counts as a failure of the release: the host shows the previous
   * release, or else a message with a retry. The promise (since 1.4.0; undefined for any other error) resolves when the remote should
   * import that file again.
   */
  report(error: unknown): Promise<void> | undefined;
}

/** A new version of the desk is told quietly, and never while somebody is in the middle of something. */
export interface Updates {
  /**
   * Keeps the hint away as long as an answer streams or something typed stands unsaved. Call what it returns when that is over;
   * calling it twice does no harm. Any number may stand at once.
   */
  hold(): () => void;
}

export interface Session {
  /** The signed-in name, '' for a guest. */
  username$: BehaviorSubject<string>;
  /** Persists and publishes the token of a sign-in or sign-up. */
  signIn(token: string, username: string): void;
  /**
   * Ends this session here, clears what `storage` kept for its owner, then ends it on the server (POST /admin/logout). Rejects
   * when the server could not be told; the visitor is signed out here all the same.
   */
  signOut(): Promise<void>;
  /** Forgets a session that the server has already ended, without a call: after deleting the account, say. */
  forget(): void;
}

/**
 * The ready axios instance, loaded on first use: Bearer token, XSRF cookie and header, `Accept-Language`. Addresses start with
 * /api or /admin. A 401 `session_ended` has already been handled (token cleared, toast, /login) when the promise rejects.
 * Rejects with `HttpFailure`. For a stream pass `{adapter: 'fetch', responseType: 'stream'}` and read `data` as a ReadableStream.
 */
export interface Http {
  request<T>(config: AxiosRequestConfig): Promise<AxiosResponse<T>>;
  get<T>(url: string, config?: AxiosRequestConfig): Promise<AxiosResponse<T>>;
  post<T>(url: string, body?: unknown, config?: AxiosRequestConfig): Promise<AxiosResponse<T>>;
  put<T>(url: string, body?: unknown, config?: AxiosRequestConfig): Promise<AxiosResponse<T>>;
  patch<T>(url: string, body?: unknown, config?: AxiosRequestConfig): Promise<AxiosResponse<T>>;
  delete<T>(url: string, config?: AxiosRequestConfig): Promise<AxiosResponse<T>>;
}

/**
 * What a failed call rejects with. `status` is 0 when no answer came (offline, aborted: then `error` is 'offline' or 'aborted').
 * `message` is a sentence in the visitor's language, ready to be shown.
 */
export interface HttpFailure extends Error {
  status: number;
  error: string;
  message: string;
  field?: string;
  /** The contacts that an `ambiguous_contact` could mean. Since 1.1.0. */
  choices?: { id: string; name: string }[];
  requestId?: string;
  /** Seconds to wait, from Retry-After. */
  retryAfter?: number;
}

/** JSON by remote and owner, in this browser. The owner's entries go at sign-out, not when a session merely ends. */
export interface Storage {
  get<T>(key: string): T | undefined;
  set(key: string, value: unknown): void;
  remove(key: string): void;
  /** Emits when the owner changes (sign-in, sign-out, another tab): read again. */
  owner$: Observable<string>;
}

export interface Toast {
  kind: ToastKind;
  text: string;
  /** One thing to do about it. With an action the toast stays 10 s instead of 3. */
  action?: { label: string; run(): void };
}

export interface Toasts {
  /** Shows a toast for 3000 ms (10 s with an action; while hovered or focused it stays). Returns its dismissal. */
  show(toast: Toast): () => void;
}

/**
 * A remote's own words: one flat table a language. `{name}` in a text is replaced by `values.name`, and (since 1.3.0)
 * `{count page|pages}` by '1 page' or '2 pages'.
 */
export type Messages = Readonly<Record<string, string>>;
export type Translate<M extends Messages> = (
  key: keyof M & string,
  values?: Record<string, string | number>,
) => string;

export interface I18n {
  language$: BehaviorSubject<Language>;
  /**
   * Binds a remote's words. The result always speaks the current language; given `language` (since 1.3.0) it speaks that one, so
   * that `useMemo(() => i18n.translator(WORDS, language), [i18n, language])` is another function after a switch.
   */
  translator<M extends Messages>(
    words: { zh: M; en: { [K in keyof M]: string } },
    language?: Language,
  ): Translate<M>;
  /** 'zh-CN' or 'en', for Intl. */
  locale(): string;
}

export interface Theme {
  choice$: BehaviorSubject<ThemeChoice>;
  choose(choice: ThemeChoice): void;
}

/** Addresses of the two pictures; bundled unless operations configured external ones. */
export interface Avatars {
  user: string;
  bot: string;
}
