import type { SettingsReply } from 'api/contract/settings';
import { Problem } from 'host/ui/problem.tsx';
import { ScreenHead, useTexts } from 'host/ui/screen.tsx';
import { Skeleton } from 'host/ui/skeleton.tsx';
import { useRef } from 'react';
import { Forbidden } from '../list/forbidden.tsx';
import { screenOf, useRead } from '../services.tsx';
import { settingsTexts } from '../texts.ts';
import styles from './settings.module.css';
import { SettingsEditor } from './settings-editor.tsx';

export const texts = [settingsTexts];

/** /settings: what administrators set for the whole desk. Other visitors are told who can do this. */
export default screenOf(Settings, settingsTexts);

function Settings() {
  const t = useTexts(settingsTexts);
  const main = useRef<HTMLElement>(null);
  const { data, failure, again } = useRead<SettingsReply>('/api/settings');
  return (
    <main ref={main} className={`page ${styles.page}`} id="main" tabIndex={-1}>
      <ScreenHead title={t('title')} />
      {data && <SettingsEditor reply={data} main={main} />}
      {!data && (
        <div className="body">
          {!failure && (
            <Skeleton
              className={styles.skeleton}
              label={t('loading')}
              lines={['third', 'full', 'third', 'full', 'most']}
            />
          )}
          {failure?.status === 403 && <Forbidden t={t} />}
          {failure && failure.status !== 403 && (
            <Problem
              title={t('failed')}
              message={failure.message}
              requestId={failure.requestId}
              onRetry={again}
            />
          )}
        </div>
      )}
    </main>
  );
}
