/** Renders the first state of screens at build time, see host/build/first-state.js. Never part of a release's scripts. */
import { languages } from 'api/contract/language';
import { renderToString } from 'react-dom/server';
import { StaticRouter } from 'react-router';
import { BehaviorSubject, Subject } from 'rxjs';
import type { HostServices, Language, Screen, Texts, ThemeChoice } from '../contract.ts';
import { createDesk } from '../desk/create-desk.ts';
import { createI18n } from '../i18n/create-i18n.ts';
import { BASE } from '../routes.ts';
import { createUpdates } from '../updates/create-updates.ts';

/** What the server replaces by the host's controls. */
export const CONTROLS = '{{controls}}';

interface ScreenModule {
  default: Screen;
  texts?: readonly Texts<object>[];
}

export interface RenderedState {
  path: string;
  language: Language;
  html: string;
}

/** What a guest sees first, by path, and by parameter if it depends on that: '/index?c'. */
export async function renderScreens(screens: Record<string, ScreenModule>): Promise<RenderedState[]> {
  const rendered: RenderedState[] = [];
  for (const language of languages)
    for (const [path, { default: Screen, texts = [] }] of Object.entries(screens)) {
      const services = createServices(language);
      await Promise.all(texts.map((one) => services.i18n.load(one)));
      const screen = <Screen services={services} language={language} controls={CONTROLS} />;
      rendered.push({ path, language, html: renderAt(path, screen, 's') });
    }
  return rendered;
}

export function renderAt(path: string, content: React.ReactNode, identifierPrefix: string): string {
  const html = renderToString(
    <StaticRouter basename={BASE} location={`${BASE}${path}`.replace(/\?(\w+)$/, '?$1=0')}>
      {content}
    </StaticRouter>,
    { identifierPrefix },
  );
  return (
    html
      // The page itself lists what to preload.
      .replace(/^(<link rel="preload"[^>]*>)+/, '')
      // These buttons do nothing before scripts run.
      .replace(/<button(?=[^>]* type="button")/g, '<button inert=""')
  );
}

/** Services of a guest whose browser has stored nothing. */
export function createServices(language: Language) {
  const i18n = createI18n({
    keyValues: { read: () => undefined, write: () => true, remove: () => undefined } as never,
    root: {} as HTMLElement,
    preferred: language,
  });
  const unanswered = () => new Promise<never>(() => undefined);
  return {
    token$: new BehaviorSubject(''),
    session: {
      username$: new BehaviorSubject(''),
      signIn: () => undefined,
      signOut: unanswered,
      forget: () => undefined,
    },
    http: {
      request: unanswered,
      get: unanswered,
      post: unanswered,
      put: unanswered,
      patch: unanswered,
      delete: unanswered,
    },
    storage: {
      get: () => undefined,
      set: () => undefined,
      remove: () => undefined,
      owner$: new Subject<string>(),
    },
    toasts: { show: () => () => undefined },
    i18n,
    theme: { choice$: new BehaviorSubject<ThemeChoice>('system'), choose: () => undefined },
    avatars: { user: '', bot: '' },
    updates: createUpdates(),
    desk: createDesk(undefined, () => language),
    report: () => undefined,
  } satisfies HostServices;
}
