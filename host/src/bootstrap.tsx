import { StrictMode, useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { createDesk } from './create-desk.ts';
import { DeskContext } from './frame/desk.ts';
import { FrameFailed } from './frame/frame-failed.tsx';
import { PartBoundary } from './frame/part-boundary.tsx';
import { readComposition } from './remotes/composition.ts';
import { federation } from './remotes/federation.ts';
import { createPageLog } from './reports/page-log.ts';
import { randomId, sendReport } from './reports/send-report.ts';
import { Router } from './router.tsx';
import { BASE, HOME, isRoot } from './routes.ts';
import { whenIdle } from './when-idle.ts';
import './theme.css';

/** How long the first paint waits for a screen that is as good as here. */
const FIRST_SCREEN_MS = 100;

const composition = readComposition(document);
const pageId = randomId(window);
const log = createPageLog(window);
const desk = createDesk({
  page: window,
  composition,
  federation,
  report(failure) {
    const { remote, version, phase, error } = failure;
    console.warn(`${remote}@${version} failed at ${phase}: ${error.message}`);
    log.note({ kind: 'failure', ...failure });
    // Whoever meets it may be gone before the browser is idle.
    tell();
  },
  onArrival: (arrival) => log.note({ kind: 'load', ...arrival }),
  onShown: (shown) => log.note({ kind: 'shown', ...shown }),
  onError(remote, version, error) {
    log.note({ kind: 'error', error, source: '', release: { remote, version } });
    tell();
  },
});

void start();

async function start(): Promise<void> {
  await Promise.race([loadFirstScreen(), delay(FIRST_SCREEN_MS)]);
  const container = document.getElementById('root');
  if (!container) throw new Error('the page must have an element #root');
  // The boundaries have reported what they caught. In development React logs it with the component stack.
  createRoot(container, __DEV__ ? {} : { onCaughtError: () => undefined }).render(
    <StrictMode>
      <Started />
      <DeskContext value={desk}>
        <PartBoundary name="frame" fallback={<FrameFailed />}>
          <BrowserRouter basename={BASE}>
            <Router />
          </BrowserRouter>
        </PartBoundary>
      </DeskContext>
    </StrictMode>,
  );
  whenIdle(tell);
  whenIdle(desk.http.warmUp);
  whenIdle(desk.badges.watch);
}

let hasStarted = false;

/**
 * Tells the server that the host runs, as soon as the frame stands: the server compares the pages that it sent with those that say
 * so, and a visitor may leave before the rest of the reports is there.
 */
function Started() {
  useEffect(() => {
    if (hasStarted || !composition.id) return;
    hasStarted = true;
    const { version } = composition.host;
    const load = { kind: 'load', remote: 'host', version, ms: Math.round(performance.now()) } as const;
    if (!sendReport(window, { page: pageId, composition: composition.id, events: [load] })) log.note(load);
  }, []);
  return null;
}

/** Asked for before React has anything to do. What fails here fails again, and is dealt with, where the screen is shown. */
async function loadFirstScreen(): Promise<void> {
  const path = location.pathname.slice(BASE.length);
  const route = desk.routes.at(isRoot(path) ? HOME : path);
  if (route) await desk.loader.load(route.screen).catch(() => undefined);
}

let isTelling = false;

/** Fetches what tells the server how this page fares; where that fails, the next call tries again. A development page tells nobody. */
function tell(): void {
  if (!composition.id || isTelling) return;
  isTelling = true;
  import(/* webpackChunkName: "reports" */ './reports/start-reports.ts').then(
    ({ startReports }) => startReports({ page: window, pageId, composition, log }),
    () => {
      isTelling = false;
    },
  );
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
