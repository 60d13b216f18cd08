/**
 * The services and types that the host provides to screens. Types only: remotes use `import type`. The version is semver: a new field is a
 * minor change, a changed or removed field a major one. Since 1.6.0 the host opens remotes of standard Module Federation builds, and facades
 * have a share scope of their own. Since 1.7.0 it provides `desk`. Since 1.8.0 texts are files of one language, and an exposed module can have
 * `texts`. Since 1.9.0 it provides `saved`. Since 1.10.0 its style sheet has `choice`, `rows` and the classes of
 * styles/utilities.css; since 1.11.0 also `segments wide`, `fill`, `column`, `middle`, `rule-*`, `divided`, `well`, `chips`, `ink-links`, `targets`,
 * `pad-*`, `block`, `type-figure` and `failed` with `done`.
 */
import type { Language } from 'api/contract/language';
import type { AxiosRequestConfig, AxiosResponse } from 'axios';
import type { AnyTexts, Texts, Translate } from 'host/ui/texts.ts';
import type { ComponentType, ReactNode } from 'react';
import type { BehaviorSubject, Observable } from 'rxjs';

export type HostContractVersion = '1.11.0';

export type { Failure as HttpFailure } from 'host/ui/failure.ts';
export type { TextFile, Texts, Translate } from 'host/ui/texts.ts';
export type { Language };
export type ThemeChoice = 'light' | 'dark' | 'system';
export type ToastKind = 'success' | 'info' | 'warning' | 'error';

/**
 * The default export of an exposed module. It is rendered next to the rail and contains its own `<main id="main" tabIndex={-1}>` with an
 * `<h1>`, the target of the skip link and of the focus after navigation.
 */
export type Screen = ComponentType<ScreenProps>;

export interface ScreenProps {
  services: HostServices;
  /** The current language; the screen is rendered again when the visitor changes it. */
  language: Language;
  /** Buttons for language, theme and account: the screen renders them at the end of its header. */
  controls: ReactNode;
}

/** All services of the host that a remote may use. The objects exist as long as the page. */
export interface HostServices {
  /** The session token; '' when not signed in. Synchronised between tabs. Read only: changes go through `session`. */
  token$: BehaviorSubject<string>;
  session: Session;
  http: Http;
  storage: Storage;
  /** Since 1.9.0; missing on an older host. */
  saved?: SavedContent;
  toasts: Toasts;
  i18n: I18n;
  theme: Theme;
  avatars: Avatars;
  /** Since 1.2.0. */
  updates: Updates;
  /** Since 1.7.0; missing on an older host: use the defaults. */
  desk?: Desk;
  /**
   * Reports an error that the remote has caught, so that it counts in the health of its release. Errors the host already knows are not
   * reported twice. Since 1.3.0. A file that failed to load counts as a failure of the release: the host shows the previous release, or a
   * message with a retry button. The returned promise (since 1.4.0; undefined for any other error) resolves when the remote should import
   * that file again.
   */
  report(error: unknown): Promise<void> | undefined;
}

/** Controls the hint that a new version is available, which must not interrupt the visitor. */
export interface Updates {
  /**
   * Hides the hint, for example while an answer streams or there is unsaved input. Returns a function that ends this; calling it again has
   * no effect. Several holds may be active at the same time.
   */
  hold(): () => void;
}

export interface Session {
  /** The name of the signed-in user, '' for a guest. */
  username$: BehaviorSubject<string>;
  /** Persists and publishes the token of a sign-in or sign-up. */
  signIn(token: string, username: string): void;
  /**
   * Ends the session in this browser, clears the owner's data in `storage`, then ends the session on the server (POST /admin/logout).
   * Rejects if the server cannot be reached; the visitor is signed out in the browser anyway.
   */
  signOut(): Promise<void>;
  /** Removes a session that the server has already ended, without a request, for example after the account was deleted. */
  forget(): void;
}

/**
 * The configured axios instance, loaded on first use: Bearer token, XSRF cookie and header, `Accept-Language`. Paths start with /api or
 * /admin. A 401 `session_ended` is already handled (token cleared, toast, /login) when the promise rejects. Rejects with `HttpFailure`. For
 * a stream pass `{adapter: 'fetch', responseType: 'stream'}` and read `data` as a ReadableStream.
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
 * Storage for JSON values in this browser, separated by remote and owner. Signing out removes the owner's entries; a session that merely
 * ends does not.
 */
export interface Storage {
  get<T>(key: string): T | undefined;
  set(key: string, value: unknown): void;
  remove(key: string): void;
  /** Emits when the owner changes (sign-in, sign-out, another tab): read all values again. */
  owner$: Observable<string>;
}

/**
 * What a screen shows while the server cannot be reached: JSON values in this browser, separated by remote and owner. They are removed after 7 days,
 * and when the owner signs out or the session ends. Never rejects; where nothing can be saved, nothing is found.
 */
export interface SavedContent {
  /** `savedAt` is in ms since the epoch. */
  read<T>(key: string): Promise<{ value: T; savedAt: number } | undefined>;
  /** undefined removes it. */
  save(key: string, value: unknown): Promise<void>;
}

export interface Toast {
  kind: ToastKind;
  text: string;
  /** One action. A toast with an action stays 10 s instead of 3. */
  action?: { label: string; run(): void };
}

export interface Toasts {
  /** Shows a toast for 3000 ms (10 s with an action; longer while hovered or focused). Returns a function that dismisses it. */
  show(toast: Toast): () => void;
}

/** The texts of a remote in one language. `{name}` in a text is replaced by `values.name`. */
export type Messages = Readonly<Record<string, string>>;

export interface I18n {
  language$: BehaviorSubject<Language>;
  /**
   * Creates a translator for a remote's texts. It always uses the current language; with `language` (since 1.3.0) it always uses that one,
   * so that `useMemo(() => i18n.translator(TEXTS, language), [i18n, language])` changes identity with the language. A text that the language
   * lacks is the English one, otherwise the Chinese one. Tables of both languages may contain `{count page|pages}`, which becomes '1 page' or
   * '2 pages' (since 1.3.0).
   */
  translator<M extends object>(texts: AnyTexts<M>, language?: Language): Translate<M>;
  /**
   * Loads texts that are needed later than the screen: in the current language, and in every language that is chosen afterwards. With
   * `language` only in that one. Rejects if a file fails to load. Since 1.8.0.
   */
  load(texts: Texts<object>, language?: Language): Promise<void>;
  /** The current language for Intl, such as 'zh-CN'. */
  locale(): string;
}

export interface Theme {
  choice$: BehaviorSubject<ThemeChoice>;
  choose(choice: ThemeChoice): void;
}

/** Addresses of the avatars of visitor and bot; bundled pictures unless operations configured others. */
export interface Avatars {
  user: string;
  bot: string;
}

/**
 * What administrators have set for this desk, in the current language; '' and an empty list where they have set nothing, so that the remote
 * shows its own texts. It is part of the page: available at the first render, and unchanged until the next load.
 */
export interface Desk {
  readonly name: string;
  readonly logoUrl: string;
  readonly greeting: string;
  readonly starterQuestions: readonly string[];
  /** How to reach people, and when; both may have several lines. */
  readonly contact: string;
  readonly hours: string;
  /** Whether people sign in with user name and password, and the providers of single sign-on. Since 1.9.0. */
  readonly signIn?:
    | {
        readonly local: boolean;
        readonly providers: readonly { readonly id: string; readonly name: string }[];
      }
    | undefined;
}
