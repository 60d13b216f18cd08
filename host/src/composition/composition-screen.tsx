import { keepPreviousData, QueryClientProvider, useQuery, useQueryClient } from '@tanstack/react-query';
import type { PointerInfo } from 'api/contract/compositions';
import type { ConfirmOutcome } from 'api/contract/single-sign-on';
import { Button } from 'host/ui/button.tsx';
import { LabelsProvider } from 'host/ui/labels.ts';
import { PartServices } from 'host/ui/late-part.tsx';
import { Problem } from 'host/ui/problem.tsx';
import { createQueryClient } from 'host/ui/queries.ts';
import { useStream } from 'host/ui/use-stream.ts';
import { useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react';
import type { ScreenProps } from '../contract.ts';
import { ShellContext } from '../frame/shell.ts';
import { type Change, isLiveMove, partsOf, shortId } from './change.ts';
import { ChangeDialog } from './change-dialog.tsx';
import styles from './composition.module.css';
import { compositionTexts } from './composition-texts.ts';
import { DiffSection } from './diff-section.tsx';
import { EnvironmentsSection } from './environments-section.tsx';
import { createFormats } from './formats.ts';
import { HealthSection } from './health-section.tsx';
import { HistorySection, useHistory } from './history-section.tsx';
import { LiveSection } from './live-section.tsx';
import { createOpsCalls, type OpsFailure } from './ops-calls.ts';
import { opsTokenOf } from './ops-token.ts';
import { PendingSection } from './pending-section.tsx';
import { PlanSection } from './plan-section.tsx';
import { CompositionContext, useScreen } from './screen-context.ts';
import { TokenDialog, TokenTag } from './token-dialog.tsx';
import { TokensDialog } from './tokens-dialog.tsx';
import { useChanges } from './use-changes.ts';

/** Polling of pointer and health while the page is visible; also refreshed when it becomes visible after a longer time. */
const POLLED = { staleTime: 15_000, refetchInterval: 15_000 };

export const texts = [compositionTexts];

/** /composition: what is live, health, releases, history. Reading needs a session, changes the ops token. */
export default function CompositionScreen(props: ScreenProps) {
  const [client] = useState(createQueryClient);
  return (
    <PartServices value={props.services}>
      <QueryClientProvider client={client}>
        <Composition {...props} />
      </QueryClientProvider>
    </PartServices>
  );
}

function Composition({ services, language, controls }: ScreenProps) {
  const { http, i18n, toasts, updates } = services;
  const t = useMemo(() => i18n.translator(compositionTexts, language), [i18n, language]);
  const formats = useMemo(() => createFormats(language, t), [language, t]);
  const labels = useMemo(() => ({ close: t('close'), cancel: t('cancel'), retry: t('retry') }), [t]);
  const opsToken = opsTokenOf(services);
  const lease = useStream(opsToken.lease$);
  // null in tests of this screen alone.
  const shell = useContext(ShellContext);
  const calls = useMemo(
    () => createOpsCalls(http, () => opsToken.lease$.value?.token ?? ''),
    [http, opsToken],
  );

  const [minutes, setMinutes] = useState(60);
  const client = useQueryClient();
  const pointer = useQuery({ ...calls.pointer, ...POLLED });
  const environments = useQuery({
    ...calls.environments,
    queryKey: [...calls.environments.queryKey, pointer.data?.revision],
    placeholderData: keepPreviousData,
    ...POLLED,
  });
  const health = useQuery({ ...calls.health(minutes), placeholderData: keepPreviousData, ...POLLED });
  const history = useHistory(calls, pointer.data?.revision);
  const [plan, setPlan] = useState<ReadonlyMap<string, string>>(new Map());
  /** An action other than a change that waits for the ops token. */
  const [waiting, setWaiting] = useState<{ run(): void }>();

  const [isManaging, setManaging] = useState(false);

  /** The response to the last change made here: later responses contain no warnings. */
  const [changed, setChanged] = useState<PointerInfo>();

  const finish = (change: Change, after: PointerInfo) => {
    setChanged(after);
    if (change.kind === 'set' || change.kind === 'canary') setPlan(new Map());
    void client.invalidateQueries({ queryKey: calls.health(minutes).queryKey.slice(0, 1) });
  };
  const changes = useChanges({ services, calls, opsToken, t, formats, onDone: finish });
  const { requested, request } = changes;
  const unlock = useCallback(
    (run: () => void) => (opsToken.lease$.value ? run() : setWaiting({ run })),
    [opsToken],
  );
  const context = useMemo(
    () => ({ t, formats, calls, toasts, change: request, unlock, lock: opsToken.forget }),
    [t, formats, calls, toasts, request, unlock, opsToken],
  );

  // All parts appear together, because appearing one by one would shift the layout.
  const hasHealth = Boolean(health.data ?? health.error);
  const hasEnvironments = Boolean(environments.data ?? environments.error);
  const isReady =
    Boolean(pointer.data) && hasHealth && hasEnvironments && Boolean(history.moves ?? history.failure);
  const live = pointer.data?.composition;
  const isLive = useCallback(
    (release: string) => live !== undefined && partsOf(live).some((part) => part.release === release),
    [live],
  );
  const choose = (remote: string, release: string) =>
    setPlan((old) => {
      const next = new Map(old);
      if (isLive(release)) next.delete(remote);
      else next.set(remote, release);
      return next;
    });
  const drop = (remote: string) => setPlan((old) => new Map([...old].filter(([name]) => name !== remote)));

  // Hides the hint of a new version while a change is being prepared.
  const isChoosing = plan.size > 0 || requested !== undefined || waiting !== undefined;
  useEffect(() => (isChoosing ? updates.hold() : undefined), [isChoosing, updates]);

  // Somebody else may have made a chosen version live.
  useEffect(() => {
    setPlan((old) => {
      const left = [...old].filter(([, release]) => !isLive(release));
      return left.length === old.size ? old : new Map(left);
    });
  }, [isLive]);

  const wasLeased = useRef(false);
  const forget = useCallback(() => {
    wasLeased.current = false;
    opsToken.forget();
    toasts.show({ kind: 'info', text: t('token.forgot') });
  }, [opsToken, toasts, t]);
  useEffect(() => {
    if (!lease && wasLeased.current && requested === undefined)
      toasts.show({ kind: 'info', text: t('token.over') });
    wasLeased.current = lease !== null;
  }, [lease, toasts, t, requested]);

  const newest = history.moves?.[0];
  const seen = useRef<number>(undefined);
  const self = useStream(services.session.username$);
  useEffect(() => {
    if (!newest) return;
    const isNews = seen.current !== undefined && newest.revision > seen.current;
    seen.current = newest.revision;
    if (isNews && newest.author !== self)
      toasts.show({
        kind: 'info',
        text: t('move.byOthers', { author: newest.author, id: shortId(newest.composition) }),
      });
  }, [newest, self, t, toasts]);

  // The return from the provider, where accounts without a password prove who they are.
  useEffect(() => {
    const outcome = new URLSearchParams(window.location.search).get('confirm') as ConfirmOutcome | null;
    if (!outcome) return;
    window.history.replaceState(window.history.state, '', window.location.pathname);
    const refuse = (text: string) => toasts.show({ kind: 'error', text });
    if (outcome === 'failed') refuse(t('token.notProven'));
    else
      opsToken.prove().then(
        () => shell?.operator.note(),
        ({ message }) => refuse(message),
      );
  }, [opsToken, shell, toasts, t]);

  const needsToken = lease === null && (requested !== undefined || waiting !== undefined);
  const liveMove = history.moves?.find((move) => isLiveMove(move) && move.composition === live?.id);

  return (
    <CompositionContext value={context}>
      <LabelsProvider value={labels}>
        <main className="page" id="main" tabIndex={-1}>
          <header className="head">
            <h1>{t('title')}</h1>
            <span className="space" />
            <TokenTag
              lease={lease}
              onEnter={() => setWaiting({ run: () => undefined })}
              onManage={() => setManaging(true)}
              onForget={forget}
            />
            {controls}
          </header>
          {!isReady && <ScreenPlaceholder failure={pointer.error} retry={() => void pointer.refetch()} />}
          {isReady && pointer.data && (
            <div className={styles.ops}>
              <div className={`body ${styles.main}`}>
                {pointer.error && (
                  <div className={`banner ${styles.stale}`} role="status">
                    <p>{t('stale', { time: formats.when(new Date(pointer.dataUpdatedAt)) })}</p>
                    <Button label={t('retry')} onClick={() => void pointer.refetch()} />
                  </div>
                )}
                <PendingSection />
                <LiveSection
                  pointer={pointer.data}
                  move={liveMove}
                  warnings={changed?.revision === pointer.data.revision ? changed.warnings : undefined}
                />
                <EnvironmentsSection
                  pointer={pointer.data}
                  environments={environments.data?.environments ?? []}
                />
                <HealthSection
                  pointer={pointer.data}
                  health={health}
                  minutes={minutes}
                  onMinutes={setMinutes}
                  plan={plan}
                  onChoose={choose}
                >
                  {plan.size > 0 && (
                    <PlanSection
                      live={pointer.data.composition}
                      releases={[...plan.values()]}
                      onDrop={drop}
                      onClear={() => setPlan(new Map())}
                    />
                  )}
                </HealthSection>
                <DiffSection pointer={pointer.data} />
              </div>
              <aside className={`body ${styles.aside}`} aria-label={t('history')}>
                <HistorySection pointer={pointer.data} history={history} />
              </aside>
            </div>
          )}
          {needsToken && (
            <TokenDialog
              opsToken={opsToken}
              onDone={() => {
                shell?.operator.note();
                setWaiting(undefined);
                waiting?.run();
              }}
              onClose={() => {
                setWaiting(undefined);
                changes.cancel();
              }}
            />
          )}
          {isManaging && lease && <TokensDialog onClose={() => setManaging(false)} />}
          {requested && lease && pointer.data && (
            <ChangeDialog
              change={requested}
              pointer={pointer.data}
              reason={changes.reason}
              onReason={changes.setReason}
              perform={changes.perform}
              onClose={changes.cancel}
            />
          )}
        </main>
      </LabelsProvider>
    </CompositionContext>
  );
}

/** Shown before anything is loaded: a skeleton of the layout, or the failure. */
function ScreenPlaceholder({ failure, retry }: { failure: OpsFailure | null; retry(): void }) {
  const { t } = useScreen();
  if (failure) return <Problem title={t('failed')} message={failure.message} onRetry={retry} />;
  return (
    <div className={styles.ops} role="status" aria-busy="true" aria-label={t('loading')}>
      <div className={styles.main}>
        <SkeletonLines widths={['third', 'half', 'full']} />
        <SkeletonLines widths={['full', 'full', 'full', 'full', 'full']} />
      </div>
      <div className={styles.aside}>
        <SkeletonLines widths={['most', 'most', 'most']} />
      </div>
    </div>
  );
}

function SkeletonLines({ widths }: { widths: readonly string[] }) {
  return (
    <div className={styles.skeleton}>
      {widths.map((width, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity
        <span key={index} className={`skeleton-line ${width}`} />
      ))}
    </div>
  );
}
