import type { SettingsReply } from 'api/contract/settings';
import type { HttpFailure, ScreenProps } from 'host/contract';
import { asFailure } from 'host/ui/failure.ts';
import { Problem } from 'host/ui/problem.tsx';
import { Skeleton } from 'host/ui/skeleton.tsx';
import { useDelayed } from 'host/ui/use-delayed.ts';
import { useTranslate } from 'host/ui/use-translate.ts';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Forbidden } from '../list/forbidden.tsx';
import styles from './settings.module.css';
import { createSettingsCalls } from './settings-calls.ts';
import { SettingsEditor } from './settings-editor.tsx';
import { settingsTexts } from './settings-texts.ts';

type Load =
  | { status: 'loading' }
  | { status: 'failed'; failure: HttpFailure }
  | { status: 'ready'; reply: SettingsReply };

export const texts = [settingsTexts];

/** /settings: what administrators set for the whole desk. Others who open it learn who can. */
export default function SettingsScreen({ services, controls }: ScreenProps) {
  const t = useTranslate(services.i18n, settingsTexts);
  const calls = useMemo(() => createSettingsCalls(services.http), [services.http]);
  const [load, setLoad] = useState<Load>({ status: 'loading' });
  const main = useRef<HTMLElement>(null);
  const isSlow = useDelayed(load.status === 'loading');

  const read = useCallback(
    async (signal: AbortSignal) => {
      setLoad({ status: 'loading' });
      try {
        const reply = await calls.read(signal);
        if (!signal.aborted) setLoad({ status: 'ready', reply });
      } catch (error) {
        if (!signal.aborted) setLoad({ status: 'failed', failure: asFailure(error) });
      }
    },
    [calls],
  );
  useEffect(() => {
    const unmounted = new AbortController();
    void read(unmounted.signal);
    return () => unmounted.abort();
  }, [read]);

  return (
    <main ref={main} className={`page ${styles.page}`} id="main" tabIndex={-1}>
      <header className="head">
        <h1>{t('title')}</h1>
        <span className="space" />
        <div className="cluster">{controls}</div>
      </header>
      {load.status === 'ready' && (
        <SettingsEditor services={services} t={t} calls={calls} reply={load.reply} main={main} />
      )}
      {load.status !== 'ready' && (
        <div className="body">
          {isSlow && (
            <Skeleton
              className={styles.skeleton}
              label={t('loading')}
              lines={['third', 'full', 'third', 'full', 'most']}
            />
          )}
          {load.status === 'failed' && load.failure.status === 403 && <Forbidden t={t} />}
          {load.status === 'failed' && load.failure.status !== 403 && (
            <Problem
              title={t('failed')}
              message={load.failure.message}
              retryLabel={t('retry')}
              requestId={load.failure.requestId}
              onRetry={() => void read(new AbortController().signal)}
            />
          )}
        </div>
      )}
    </main>
  );
}
