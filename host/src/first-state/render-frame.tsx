/** Renders the host's frame at build time, as a guest first sees it, see host/build/first-state.js. */
import { languages } from 'api/contract/language';
import type { PageRoute } from 'api/contract/pages';
import { BehaviorSubject } from 'rxjs';
import type { Shell } from '../create-shell.ts';
import { frameTexts } from '../frame/frame-texts.ts';
import { ShellContext } from '../frame/shell.ts';
import { LoadingPage, Router } from '../router.tsx';
import { createRouteTable } from '../routes.ts';
import { CONTROLS, createServices, type RenderedState, renderAt } from './render-screens.tsx';

/** The only route: its entry in the menu is the template of all entries. */
const ROUTE: PageRoute = {
  path: '/menu-path',
  screen: 'remote/./screen',
  guard: 'public',
  title: { zh: 'menu-title', en: 'menu-title' },
  menu: { icon: 'menu-icon', order: 1 },
};
const LAYOUTS = ['navigation', 'plain'] as const;

/**
 * The frame of both layouts. It contains `{{screen}}` and, with navigation, `{{menu}}`; after it follow what these and `{{controls}}` consist
 * of: `<!--entry-->`, `<!--controls-->` and `<!--loading-->`.
 */
export async function renderFrame(): Promise<RenderedState[]> {
  const rendered: RenderedState[] = [];
  for (const language of languages)
    for (const layout of LAYOUTS) {
      const services = createServices(language);
      await services.i18n.load(frameTexts);
      const shell = createShell(services, layout);
      const within = (content: React.ReactNode) =>
        renderAt(ROUTE.path, <ShellContext value={shell}>{content}</ShellContext>, 'f');
      const [frame = '', controls = '', end = ''] = within(<Router />).split(/(?<={{screen}})|{{end}}/);
      const [, before = '', entry = '', after = ''] =
        /^([\s\S]*<ul>)(<li>[\s\S]*<\/li>)(<\/ul>[\s\S]*)$/.exec(frame) ?? [];
      const withMenu = entry === '' ? frame : `${before}{{menu}}${after}`;
      const template = entry
        .replace('menu-path', '{{path}}')
        .replace('menu-title', '{{title}}')
        .replace('menu-icon', '{{icon}}');
      const loading = within(<LoadingPage controls={CONTROLS} />);
      rendered.push({
        path: layout,
        language,
        html: `${withMenu}${end}<!--entry-->${template}<!--controls-->${controls}<!--loading-->${loading}`,
      });
    }
  return rendered;
}

/** Stands for the screen and its controls, which are replaced by placeholders. */
function Hole({ controls }: { controls: React.ReactNode }) {
  return (
    <>
      {'{{screen}}'}
      {controls}
      {'{{end}}'}
    </>
  );
}

function createShell(services: ReturnType<typeof createServices>, layout: 'navigation' | 'plain'): Shell {
  const none = () => () => undefined;
  const { i18n, desk, session, token$ } = services;
  const screen = { Screen: Hole, release: '' };
  const shell = {
    i18n,
    desk,
    session: { ...session, token$ },
    navigation: { attach: none },
    composition: { id: '' },
    routes: createRouteTable([{ ...ROUTE, layout }]),
    toasts: { shown$: new BehaviorSubject([]) },
    operator: { isKnown$: new BehaviorSubject(false) },
    badges: { counts$: new BehaviorSubject({}) },
    connection: { state$: new BehaviorSubject({ isOnline: true, retryAt: null }) },
    loader: { loaded: () => screen, missing$: new BehaviorSubject([]), whenLoaded: () => undefined },
    servicesOf: () => services,
  };
  // Rendering without effects uses nothing else.
  return shell as unknown as Shell;
}
