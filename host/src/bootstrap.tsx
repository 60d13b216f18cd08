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

/** How long the first paint waits for the first screen, in ms. */
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
    // Immediately, because the visitor may leave before the browser is idle.
    startReporting();
  },
  onArrival: (arrival) => log.note({ kind: 'load', ...arrival }),
  onShown: (shown) => log.note({ kind: 'shown', ...shown }),
  onError(remote, version, error) {
    log.note({ kind: 'error', error, source: '', release: { remote, version } });
    startReporting();
  },
});

void start();

async function start(): Promise<void> {
  await Promise.race([loadFirstScreen(), delay(FIRST_SCREEN_MS)]);
  const container = document.getElementById('root');
  if (!container) throw new Error('the page must have an element #root');
  // The error boundaries report what they catch. In development React logs it with the component stack.
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
  whenIdle(startReporting);
  whenIdle(desk.http.warmUp);
  whenIdle(desk.badges.watch);
}

let hasStarted = false;

/**
 * Reports to the server that the host has started, as soon as the frame is rendered: the server compares delivered with started pages. Sent
 * before all other reports, because the visitor may leave early.
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

/** Starts before React renders. A failure is ignored here: it occurs again, and is handled, where the screen is shown. */
async function loadFirstScreen(): Promise<void> {
  const path = location.pathname.slice(BASE.length);
  const route = desk.routes.at(isRoot(path) ? HOME : path);
  if (route) await desk.loader.load(route.screen).catch(() => undefined);
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

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
