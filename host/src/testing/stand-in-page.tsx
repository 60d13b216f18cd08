import '../theme.css';
import { useStream } from 'host/ui/use-stream.ts';
import { useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter, Link, Navigate, useLocation } from 'react-router-dom';
import type { HostServices, Screen, Toast } from '../contract.ts';
import type { StandIns } from './stand-in-services.ts';

interface StandInPageProps {
  /** Name of the remote, the title above the list of its screens. */
  name: string;
  /** By path, without the host's base. A single screen is opened directly. */
  screens: Record<string, Screen>;
  /** Paths of screens without the main navigation. */
  plain?: readonly string[];
  standIns: StandIns;
}

/** Renders a remote alone in `#root`: its screens in the host's layout over fake services. */
export function openStandInPage(props: StandInPageProps): void {
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
  const Shown = screens[pathname];
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
function StandInControls({ services }: { services: HostServices }) {
  const { i18n, theme } = services;
  const isChinese = i18n.language$.value === 'zh';
  return (
    <div className="cluster">
      <button
        className="icon-button"
        type="button"
        lang={isChinese ? 'en' : 'zh-CN'}
        aria-label={isChinese ? 'EN: switch to English' : '中：切换到中文'}
        onClick={() => i18n.language$.next(isChinese ? 'en' : 'zh')}
      >
        {isChinese ? 'EN' : '中'}
      </button>
      <button
        className="icon-button"
        type="button"
        aria-label={isChinese ? '切换深色' : 'Switch dark and light'}
        onClick={() => theme.choose(theme.choice$.value === 'dark' ? 'light' : 'dark')}
      >
        <svg className="icon" aria-hidden="true">
          <use href="#i-theme" />
        </svg>
      </button>
    </div>
  );
}
