import type { Language } from 'api/contract/language';
import type { PageRoute } from 'api/contract/pages';
import { createLatePart, Late, PartServices } from 'host/ui/late-part.tsx';
import { useStream } from 'host/ui/use-stream.ts';
import {
  type MouseEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { Navigate, useLocation, useNavigate } from 'react-router-dom';
import { FrameGuard, FramePart } from './frame/boundaries.tsx';
import { Controls } from './frame/controls.tsx';
import { laterTexts } from './frame/frame-texts.ts';
import { MissingParts, OfflineBanner } from './frame/notice.tsx';
import { HostPage, RemoteUnavailable, SessionUnknown } from './frame/pages.tsx';
import { Rail } from './frame/rail.tsx';
import { useFrameTranslate, useShell } from './frame/shell.ts';
import { ToastList } from './frame/toast-list.tsx';
import { inLanguage } from './i18n/create-i18n.ts';
import { RemoteScreen } from './remotes/remote-screen.tsx';
import { HOME, isRoot, LOGIN, SETUP } from './routes.ts';
import type { Verdict } from './session/guard.ts';
import { whenIdle } from './when-idle.ts';

/** Delay before the skeleton is shown, in ms, so that it does not flash on fast loads. */
const SKELETON_AFTER_MS = 300;

export function LoadingPage({ controls }: { controls: ReactNode }) {
  const t = useFrameTranslate();
  // Rendered at build time, it is the skeleton.
  const [isLong, setLong] = useState(typeof document === 'undefined');
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), SKELETON_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isLong) return <main id="main" tabIndex={-1} aria-busy="true" />;
  return (
    <HostPage controls={controls}>
      <div className="skeleton" aria-busy="true" role="status" aria-label={t('loading')}>
        <SkeletonBlock />
        <SkeletonBlock />
      </div>
    </HostPage>
  );
}

function SkeletonBlock() {
  return (
    <div>
      <span className="skeleton-line" />
      <span className="skeleton-line third" />
      <span className="skeleton-line full" />
      <span className="skeleton-line most" />
    </div>
  );
}

const notFound = createLatePart(() => import(/* webpackChunkName: "not-found" */ './frame/not-found.tsx'));
const overrideBanner = createLatePart(
  () => import(/* webpackChunkName: "override-banner" */ './frame/override-banner.tsx'),
  laterTexts,
);
const updateHint = createLatePart(async () => {
  await new Promise<void>(whenIdle);
  return import(/* webpackChunkName: "update-hint" */ './frame/update-hint.tsx');
}, laterTexts);

/** The frame with the screen of the current route. Needs a router with the basename BASE. */
export function Router() {
  const { i18n, loader, navigation, composition, routes, session, desk } = useShell();
  const parts = useMemo(() => ({ report: loader.whenLoaded, i18n }), [loader, i18n]);
  const t = useFrameTranslate();
  const language = useStream(i18n.language$);
  const { pathname, hash } = useLocation();
  const navigate = useNavigate();
  useEffect(() => navigation.attach(navigate), [navigation, navigate]);

  const route = routes.at(pathname);
  const isMember = useStream(session.token$) !== '';
  // Guests are redirected from a guarded route to /login, where the rail would disappear again.
  const isOpen = route ? route.guard === 'public' : isRoot(pathname);
  const hasRail = (isMember || isOpen) && route?.layout !== 'plain';
  // Rendered inside of screens, so that errors in it need their own boundary.
  const controls = useMemo(
    () => (
      <FramePart name="controls">
        <Controls hasAccount={hasRail} />
      </FramePart>
    ),
    [hasRail],
  );
  const named = isRoot(pathname) ? routes.at(HOME) : route;
  const name = named ? inLanguage(named.title, language) : t('notFound');
  const { announcement, announceScreen } = useRouteChange(`${name} · ${desk.name || t('product')}`);

  const content = () => {
    if (isRoot(pathname)) return <Navigate to={HOME} replace />;
    if (pathname === SETUP) return <Navigate to={{ pathname: LOGIN, hash }} replace />;
    if (route?.guard === 'public')
      return <RouteScreen key={route.screen} {...{ route, language, controls, announceScreen }} />;
    return (
      <Guarded key={pathname} controls={controls}>
        {route ? (
          <RouteScreen {...{ route, language, controls, announceScreen }} />
        ) : (
          <Late
            part={notFound}
            loading={<LoadingPage controls={controls} />}
            failed={
              <HostPage controls={controls}>
                <div className="failed">
                  <h1>{t('notFound')}</h1>
                </div>
              </HostPage>
            }
          >
            {({ NotFound }) => <NotFound path={pathname} controls={controls} onSettled={announceScreen} />}
          </Late>
        )}
      </Guarded>
    );
  };

  return (
    <PartServices value={parts}>
      {/* biome-ignore lint/a11y/useValidAnchor: a skip link that does not navigate */}
      <a className="skip" href="#main" onClick={skipToMain}>
        {t('skip')}
      </a>
      <p className="sr" role="status">
        {announcement}
      </p>
      <div className={hasRail ? 'shell' : 'shell bare'}>
        {hasRail && (
          <FramePart name="rail">
            <Rail />
          </FramePart>
        )}
        <div className="content">
          {composition.override && (
            <FramePart name="override-banner">
              <Late part={overrideBanner}>{({ OverrideBanner }) => <OverrideBanner />}</Late>
            </FramePart>
          )}
          <FramePart name="offline-banner">
            <OfflineBanner />
          </FramePart>
          <FramePart name="missing-parts">
            <MissingParts remote={route?.screen.split('/')[0]} />
          </FramePart>
          {/* A development page has no composition and therefore no new versions. */}
          {composition.id && (
            <FramePart name="update-hint">
              <Late part={updateHint}>{({ UpdateHint }) => <UpdateHint />}</Late>
            </FramePart>
          )}
          <FrameGuard>{content()}</FrameGuard>
        </div>
      </div>
      <FramePart name="toasts">
        <ToastList />
      </FramePart>
    </PartServices>
  );
}

/** Moves the focus without navigating, because the fragment of the address may belong to the screen. */
function skipToMain(event: MouseEvent): void {
  event.preventDefault();
  focusMain();
}

interface RouteScreenProps {
  route: PageRoute;
  language: Language;
  controls: ReactNode;
  announceScreen(): void;
}

function RouteScreen({ route, language, controls, announceScreen }: RouteScreenProps) {
  const { loader, servicesOf } = useShell();
  const placeholder = useMemo(() => <LoadingPage controls={controls} />, [controls]);
  const failed = useCallback(
    (retry: () => void, hasRetried: boolean) => (
      <RemoteUnavailable {...{ route, controls, retry, hasRetried }} />
    ),
    [route, controls],
  );
  return (
    <RemoteScreen
      id={route.screen}
      services={servicesOf(route.screen)}
      onSettled={announceScreen}
      {...{ loader, language, controls, placeholder, failed }}
    />
  );
}

/** Renders its children after POST /admin/auth has succeeded, and navigates to /login when the session ends, for example in another tab. */
function Guarded({ controls, children }: { controls: ReactNode; children: ReactNode }) {
  const { guard, navigation, session } = useShell();
  const [verdict, setVerdict] = useState<Verdict>();
  const [attempt, setAttempt] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new `attempt` asks the server again
  useEffect(() => {
    let isWanted = true;
    setVerdict(undefined);
    void guard().then((next) => isWanted && setVerdict(next));
    return () => {
      isWanted = false;
    };
  }, [guard, attempt]);

  useEffect(() => {
    if (verdict !== 'allowed') return;
    const leaving = session.token$.subscribe((token) => {
      if (!token) navigation.go(LOGIN, { replace: true });
    });
    return () => leaving.unsubscribe();
  }, [verdict, session, navigation]);

  if (verdict === 'allowed') return children;
  if (verdict === 'unknown')
    return <SessionUnknown controls={controls} retry={() => setAttempt((count) => count + 1)} />;
  return <LoadingPage controls={controls} />;
}

/**
 * Does at each navigation what browsers do when a page is loaded: sets the title, announces it to screen readers and moves the focus to the
 * new content. Ignores the first page, which the browser handles.
 */
function useRouteChange(title: string) {
  const isFirst = useRef(true);
  const [announcement, setAnnouncement] = useState('');

  useLayoutEffect(() => {
    document.title = title;
  }, [title]);

  const announceScreen = useCallback(() => {
    if (!isFirst.current) {
      setAnnouncement(document.title);
      focusMain();
    }
    isFirst.current = false;
  }, []);

  return { announcement, announceScreen };
}

/** Does nothing if the screen has already moved the focus. */
function focusMain(): void {
  const main = document.getElementById('main');
  if (!main || main.contains(document.activeElement)) return;
  if (!main.hasAttribute('tabindex')) main.tabIndex = -1;
  main.focus({ preventScroll: true });
  window.scrollTo(0, 0);
}
