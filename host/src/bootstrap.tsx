import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { createDesk } from './create-desk.ts';
import { DeskContext } from './frame/desk.ts';
import { readComposition } from './remotes/composition.ts';
import { federation } from './remotes/federation.ts';
import { forgetFailedStyles } from './remotes/forget-failed-styles.ts';
import { Router } from './router.tsx';
import { BASE, isRoot, placeAt } from './routes.ts';
import './theme.css';

/** How long the first paint waits for a screen that is as good as here. */
const FIRST_SCREEN_MS = 100;

const desk = createDesk({
  page: window,
  composition: readComposition(document),
  federation,
  report: ({ remote, version, phase, error }) =>
    console.warn(`${remote}@${version} failed at ${phase}: ${error.message}`),
});

forgetFailedStyles(document);
start();

async function start(): Promise<void> {
  await Promise.race([loadFirstScreen(), delay(FIRST_SCREEN_MS)]);
  const container = document.getElementById('root');
  if (!container) throw new Error('the page must have an element #root');
  // The boundary around a screen has reported what it caught.
  createRoot(container, { onCaughtError: () => undefined }).render(
    <DeskContext value={desk}>
      <BrowserRouter basename={BASE}>
        <Router />
      </BrowserRouter>
    </DeskContext>,
  );
  whenIdle(desk.http.warmUp);
  whenIdle(desk.unanswered.watch);
}

/** Asked for before React has anything to do. What fails here fails again, and is dealt with, where the screen is shown. */
async function loadFirstScreen(): Promise<void> {
  const path = location.pathname.slice(BASE.length);
  const place = placeAt(isRoot(path) ? '/index' : path);
  if (place) await desk.loader.load(place.screen).catch(() => undefined);
}

function whenIdle(work: () => void): void {
  // Safari has no requestIdleCallback.
  if ('requestIdleCallback' in window) requestIdleCallback(work, { timeout: 5000 });
  else setTimeout(work, 2000);
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
