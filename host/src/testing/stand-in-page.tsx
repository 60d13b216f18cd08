import '../theme.css';
import { LANGUAGES, languages } from 'api/contract/language';
import { useStream } from 'host/ui/use-stream.ts';
import { useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter, Link, Navigate, useLocation } from 'react-router-dom';
import type { Screen, Texts, Toast } from '../contract.ts';
import type { SwitchableI18n } from '../i18n/create-i18n.ts';
import type { StandIns } from './stand-in-services.ts';

interface StandInPageProps {
  /** Name of the remote, the title above the list of its screens. */
  name: string;
  /** Screens by path, without the host's base; those with `texts` as modules. A single screen is opened directly. */
  screens: Record<string, Screen | ScreenModule>;
  /** Paths of screens without the main navigation. */
  plain?: readonly string[];
  standIns: StandIns;
}

interface ScreenModule {
  default: Screen;
  texts?: readonly Texts<object>[];
}

/** Renders a remote alone in `#root`: its screens in the host's layout over fake services. */
export function openStandInPage(props: StandInPageProps): void {
  void loadTexts(props).then(() => showPage(props));
}

async function loadTexts({ screens, standIns }: StandInPageProps): Promise<void> {
  const { i18n } = standIns.services;
  const texts = Object.values(screens).flatMap((screen) => ('texts' in screen && screen.texts) || []);
  await Promise.all(texts.map((one) => i18n.load(one)));
}

function showPage(props: StandInPageProps): void {
  createRoot(document.getElementById('root')!).render(
    <BrowserRouter>
      <StandInPage {...props} />
    </BrowserRouter>,
  );
}

/** Needs a router. */
function StandInPage({ name, screens, plain = [], standIns }: StandInPageProps) {
  const { services, shown$ } = standIns;
  const language = useStream(services.i18n.language$);
  const theme = useStream(services.theme.choice$);
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
  }, [theme]);
  const { pathname } = useLocation();
  const screen = screens[pathname];
  const Shown = screen && 'default' in screen ? screen.default : screen;
  const hasRail = !plain.includes(pathname);

  return (
    <>
      <div className={hasRail ? 'shell' : 'shell bare'}>
        {hasRail && <div className="rail" />}
        <div className="content">
          {Shown ? (
            <Shown
              services={services}
              language={language}
              controls={<StandInControls services={services} />}
            />
          ) : (
            <Contents name={name} paths={Object.keys(screens)} />
          )}
        </div>
      </div>
      <section className="toasts" role="status">
        {useStream(shown$).map((toast) => (
          <ToastLine key={toast.id} toast={toast} />
        ))}
      </section>
    </>
  );
}

function Contents({ name, paths }: { name: string; paths: string[] }) {
  const [first, ...others] = paths;
  if (first && others.length === 0) return <Navigate to={first} replace />;
  return (
    <main className="page" id="main" tabIndex={-1}>
      <div className="blank">
        <h1>{name}</h1>
        {paths.map((path) => (
          <Link key={path} to={path}>
            {path}
          </Link>
        ))}
      </div>
    </main>
  );
}

function ToastLine({ toast: { kind, text, action } }: { toast: Toast }) {
  return (
    <div className={`toast ${kind}`}>
      <p>{text}</p>
      {action && (
        <button className="button" type="button" onClick={action.run}>
          {action.label}
        </button>
      )}
    </div>
  );
}

/** The host's controls as far as a standalone remote needs them: language and theme. */
function StandInControls({ services }: Pick<StandIns, 'services'>) {
  const { i18n, theme } = services;
  const next = languages[(languages.indexOf(i18n.language$.value) + 1) % languages.length]!;
  const { locale, mark, label } = LANGUAGES[next];
  return (
    <div className="cluster">
      <button
        className="icon-button"
        type="button"
        lang={locale}
        aria-label={label}
        // The stand-in services contain the host's own i18n.
        onClick={() => void (i18n as SwitchableI18n).setLanguage(next)}
      >
        {mark}
      </button>
      <button
        className="icon-button"
        type="button"
        aria-label="Dark or light"
        onClick={() => theme.choose(theme.choice$.value === 'dark' ? 'light' : 'dark')}
      >
        <svg className="icon" aria-hidden="true">
          <use href="#i-theme" />
        </svg>
      </button>
    </div>
  );
}
