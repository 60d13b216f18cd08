import { createId } from 'host/ui/create-id.ts';
import { deskAddress } from 'host/ui/desk-address.ts';
import { workerPolicy } from 'host/ui/documents/start-worker.ts';
import { StrictMode, useEffect } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { merge } from 'rxjs';
import { createShell } from './create-shell.ts';
import { readFirstState } from './first-state/take-over.ts';
import { FramePart } from './frame/boundaries.tsx';
import { FrameFailed } from './frame/pages.tsx';
import { ShellContext } from './frame/shell.ts';
import { readComposition } from './remotes/composition.ts';
import { federation } from './remotes/federation.ts';
import { delay } from './remotes/run-module.ts';
import { claimScriptPolicy } from './remotes/script-policy.ts';
import { tolerateTranslation } from './remotes/tolerate-translation.ts';
import { createPageLog } from './reports/page-log.ts';
import { sendReport } from './reports/send-report.ts';
import { Router } from './router.tsx';
import { BASE, HOME, isRoot } from './routes.ts';
import { whenIdle } from './when-idle.ts';
import './theme.css';

/** How long the first paint waits for the first screen if the page is still empty, in ms. */
const FIRST_SCREEN_MS = 100;
/** How long the report that the host has started waits for the first screen, whose remote may be slow, in ms. */
const REPORT_START_MS = 1000;

tolerateTranslation(window);
const composition = readComposition(document);
// Must run before code of a remote.
workerPolicy(window);
claimScriptPolicy(
  window,
  Object.values(composition.remotes).flatMap((one) => [one, one.previous ?? one]),
);
const container = document.getElementById('root');
if (!container) throw new Error('the page must have an element #root');
const firstState = readFirstState(container);
const pageId = createId();
const base = deskAddress(BASE);
const log = createPageLog(window);
const shell = createShell({
  page: window,
  composition,
  federation,
  own: {
    'host/./composition': () =>
      import(/* webpackChunkName: "composition" */ './composition/composition-screen.tsx'),
  },
  report(failure) {
    const { remote, version, phase, error } = failure;
    console.warn(`${remote}@${version} failed at ${phase}: ${error.message}`);
    log.add({ kind: 'failure', ...failure });
    // Immediately, because the visitor may leave before the browser is idle.
    startReporting();
  },
  onLoad: (load) => log.add({ kind: 'load', ...load }),
  onShown(shown) {
    firstState?.restore();
    log.add({ kind: 'shown', ...shown });
  },
  onError(remote, version, error) {
    log.add({ kind: 'error', error, source: '', release: { remote, version } });
    startReporting();
  },
});

void start(container);

async function start(container: HTMLElement): Promise<void> {
  const firstScreen = loadFirstScreen();
  await shell.loadTexts();
  // The first state in the HTML already looks like the screen, so that nothing has to wait.
  if (!firstState) await Promise.race([firstScreen, delay(FIRST_SCREEN_MS)]);
  else if (!(await Promise.race([firstScreen, delay(REPORT_START_MS)]))) {
    reportStart();
    await firstScreen;
  }
  await firstState?.whenComposed();
  // Error boundaries report what they catch, so React need not. In development it logs the component stack.
  const root = createRoot(container, __DEV__ ? {} : { onCaughtError: () => undefined });
  const page = (
    <StrictMode>
      <Started />
      <ShellContext value={shell}>
        <FramePart name="frame" fallback={<FrameFailed t={shell.t} />}>
          <BrowserRouter basename={base}>
            <Router />
          </BrowserRouter>
        </FramePart>
      </ShellContext>
    </StrictMode>
  );
  if (firstState) firstState.replace(() => flushSync(() => root.render(page)));
  else root.render(page);
  whenIdle(startReporting);
  runLater(
    () => import(/* webpackChunkName: "module-info" */ './remotes/module-info.ts'),
    ({ describeToDevtools }) => describeToDevtools(composition, window),
  );
  // Moves a focus that was lost. Most screens move it themselves.
  runLater(
    () => import(/* webpackChunkName: "keep-focus" */ 'host/ui/keep-focus.ts'),
    ({ keepFocus }) => keepFocus(document),
  );
  whenIdle(shell.http.warmUp);
  whenIdle(shell.badges.watch);
  whenIdle(startOffline);
}

/** Runs a chunk when the browser is idle. It is optional: nothing happens if it fails to load. */
function runLater<Chunk>(load: () => Promise<Chunk>, run: (chunk: Chunk) => unknown): void {
  whenIdle(() => void load().then(run, () => undefined));
}

let hasStarted = false;

/** Reports the start as soon as the frame is rendered, before anything else: the server compares served and started pages. */
function Started() {
  useEffect(reportStart, []);
  return null;
}

function reportStart(): void {
  if (hasStarted || !composition.id) return;
  hasStarted = true;
  const { version } = composition.host;
  const load = { kind: 'load', remote: 'host', version, ms: Math.round(performance.now()) } as const;
  if (!sendReport(window, { page: pageId, composition: composition.id, events: [load] })) log.add(load);
}

/** Starts before React renders. Ignores a failure, which occurs again where the screen is shown. Resolves with true. */
async function loadFirstScreen(): Promise<true> {
  const path = location.pathname.slice(base.length);
  const route = shell.routes.at(isRoot(path) ? HOME : path);
  if (route) await shell.loader.load(route.screen).catch(() => undefined);
  return true;
}

/** For visits while the server cannot be reached. Without the worker nothing is saved, because pages could not open then. */
function startOffline(): void {
  const { worker: address } = composition;
  if (!address || !('serviceWorker' in navigator)) return;
  const changes$ = merge(shell.i18n.language$, shell.theme.choice$);
  void shell.openSaved().then((saved) => saved?.sweep());
  import(/* webpackChunkName: "worker" */ './offline/start-worker.ts').then(
    ({ startWorker }) => startWorker({ page: window, address, changes$ }),
    () => undefined,
  );
}

let isReporting = false;

/** Loads the reporting chunk; after a failure the next call tries again. Development pages send no reports. */
function startReporting(): void {
  if (!composition.id || isReporting) return;
  isReporting = true;
  import(/* webpackChunkName: "reports" */ './reports/start-reports.ts').then(
    ({ startReports }) => startReports({ page: window, pageId, composition, log }),
    () => {
      isReporting = false;
    },
  );
}
