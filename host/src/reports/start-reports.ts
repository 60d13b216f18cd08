import type { PageEvent, VitalName } from 'api/contract/reports';
import type { Composition } from '../remotes/composition.ts';
import { whenIdle } from '../when-idle.ts';
import { createSender } from './create-sender.ts';
import { describeError, isNoFault, scriptsIn } from './describe-error.ts';
import type { Noted, PageLog } from './page-log.ts';
import { sendReport } from './send-report.ts';
import { watchVitals } from './watch-vitals.ts';
import { createWhoseScript, type Whose } from './whose-script.ts';

/** Different errors of one page that are told. */
const ERRORS = 20;
/** Changes of what was shown that a vital may be put down to. */
const SHOWN = 200;

interface Options {
  page: Window;
  /** Of this page load, random. */
  pageId: string;
  composition: Composition;
  log: PageLog;
}

/**
 * Tells the desk's own server how this page fares: which releases came, which failed, what threw, and the web vitals. Nothing says
 * whose page it is, and nothing of what a visitor wrote goes along. Never throws: what cannot be told is not.
 */
export function startReports({ page, pageId, composition, log }: Options): void {
  const { document, location, navigator } = page;
  const sender = createSender({
    page: pageId,
    composition: composition.id,
    send: (report) => sendReport(page, report),
  });
  const shown: (Whose & { at: number })[] = [];
  const isShown = ({ remote, version }: Whose) =>
    shown.findLast((screen) => screen.remote === remote)?.version === version;
  const whose = createWhoseScript(composition, location.origin, isShown);
  const told = new Set<string>();
  let cancel: (() => void) | undefined;

  const add = (event: PageEvent) => {
    sender.add(event);
    cancel?.();
    cancel = whenIdle(sender.flush);
  };

  const addError = (error: unknown, source: string, release?: Whose) => {
    const owner = isNoFault(error) ? undefined : (release ?? whose(scriptsIn(error, source)));
    if (!owner) return;
    const text = describeError(error);
    const key = `${owner.remote}@${owner.version} ${text}`;
    if (told.has(key) || told.size >= ERRORS) return;
    told.add(key);
    add({ ...owner, kind: 'error', error: text });
  };

  /** Tabs stay open for days: what counts is when another release came. */
  const addShown = (next: Whose & { at: number }) => {
    const last = shown.at(-1);
    if (last?.remote !== next.remote || last.version !== next.version) shown.push(next);
    if (shown.length > SHOWN) shown.shift();
  };

  const hear = (noted: Noted) => {
    if (noted.kind === 'error') return addError(noted.error, noted.source, noted.release);
    if (noted.kind === 'shown') return addShown(noted);
    if (noted.kind === 'load') return add(noted);
    // Without a network nothing comes, whatever the release.
    if (!navigator.onLine) return;
    add({ ...noted, error: describeError(noted.error) });
  };

  /** Once for each release that was shown: of the screen that stood there when it happened. */
  const addVital = (name: VitalName, value: number, at: number) => {
    const owner = shown.findLast((screen) => screen.at <= at) ?? shown[0];
    if (!owner) return;
    const { remote, version } = owner;
    const key = `${name} ${remote}@${version}`;
    if (told.has(key)) return;
    told.add(key);
    sender.add({ kind: 'vital', remote, version, name, value });
    // It is told while the page goes, when nothing is idle any more.
    if (document.visibilityState === 'hidden') sender.flush();
  };

  log.follow((noted) => {
    try {
      hear(noted);
    } catch {
      // An error that cannot even be looked at.
    }
  });
  watchVitals(addVital);
  document.addEventListener(
    'visibilitychange',
    () => document.visibilityState === 'hidden' && sender.flush(),
  );
  page.addEventListener('pagehide', sender.flush);
}
