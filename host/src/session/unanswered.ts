import { BehaviorSubject, distinctUntilChanged, skip } from 'rxjs';

/** What the rail's number is told by: whoever asks for it through the page's HTTP client, this counter hears the answer. */
export const SUMMARY = '/api/knowledge';

interface Options {
  token$: BehaviorSubject<string>;
  /** GET /api/knowledge as the visitor there is. */
  ask(): Promise<unknown>;
  page: Pick<Window, 'addEventListener'>;
}

export interface Unanswered {
  /** How many groups of questions wait for an editor's answer; 0 for everyone else. */
  count$: BehaviorSubject<number>;
  /** Takes the number from a body of GET /api/knowledge that somebody has asked for. */
  hear(body: unknown): void;
  /** Begins to look: now, after every sign-in, and whenever the page comes back to the front. Nothing is asked for guests. */
  watch(): void;
}

/** Coming back to the page within this time asks nothing. */
const FRESH_MS = 60_000;

/** The number beside 知识 on the rail. What cannot be had is not told: the screen itself says what is wrong. */
export function createUnanswered({ token$, ask, page }: Options): Unanswered {
  const count$ = new BehaviorSubject(0);
  let lookedAt = Number.NEGATIVE_INFINITY;

  const hear = (body: unknown) => {
    const { unanswered } = (body ?? {}) as { unanswered?: unknown };
    lookedAt = Date.now();
    const count = typeof unanswered === 'number' && token$.value ? unanswered : 0;
    if (count !== count$.value) count$.next(count);
  };
  const look = async () => {
    if (!token$.value) return;
    lookedAt = Date.now();
    // The client's owner hears the answer itself.
    await ask().catch(() => undefined);
  };
  const lookWhereOld = () => {
    if (Date.now() - lookedAt > FRESH_MS) void look();
  };
  const changed$ = token$.pipe(distinctUntilChanged(), skip(1));
  changed$.subscribe(() => count$.next(0));

  return {
    count$,
    hear,
    watch() {
      lookWhereOld();
      changed$.subscribe(() => void look());
      page.addEventListener('focus', lookWhereOld);
    },
  };
}
