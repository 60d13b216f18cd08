import type { SecondFactorState } from 'api/contract/accounts';
import type { Translate } from 'host/contract';
import { Button } from 'host/ui/button.tsx';
import { Problem } from 'host/ui/problem.tsx';
import { Section } from 'host/ui/section.tsx';
import { useState } from 'react';
import type { AccountCalls } from './account-calls.ts';
import type { AccountTexts } from './account-texts.ts';
import type { LoginTexts } from './login-texts.ts';
import { PasskeySection } from './passkey-section.tsx';
import { SecondFactorDialog, type SecondFactorTask } from './second-factor-dialog.tsx';

interface SecondFactorSectionProps {
  calls: AccountCalls;
  t: Translate<AccountTexts>;
  tField: Translate<LoginTexts>;
  locale: string;
  /** Shown by the authenticator app. */
  desk: string;
  username: string;
  state: SecondFactorState | null;
  /** Why the state could not be read. */
  problem: string;
  /** Reads the state again. */
  load(): void;
  onChanged(text: string): void;
}

/** Whether the account has a second factor, with buttons to switch it on and off, and its passkeys. Empty for accounts without a password. */
export function SecondFactorSection({
  calls,
  t,
  tField,
  locale,
  desk,
  username,
  state,
  problem,
  load,
  onChanged,
}: SecondFactorSectionProps) {
  const [task, setTask] = useState<SecondFactorTask | null>(null);
  const toggle = state?.isOn ? 'turnOff' : 'turnOn';

  if (!state?.hasPassword && !problem) return null;
  return (
    <>
      <Section
        title={t('second')}
        className=""
        aside={state?.isOn && <span className="tag accent">{t('second.on')}</span>}
      >
        {problem ? (
          <Problem
            level={3}
            title={t('second.failed')}
            message={problem}
            retryLabel={t('retry')}
            onRetry={load}
          />
        ) : (
          <>
            <p className="mb-s4 type-small ink-2">
              {state?.isOn ? t('second.left', { count: state.recoveryCodes }) : t('second.about')}
            </p>
            <div className="line wrap mb-s2">
              {/* One button, so that the focus returns to it. */}
              <Button label={t(`second.${toggle}.open`)} onClick={() => setTask(toggle)} />
              {state?.isOn && <Button label={t('second.renew.open')} onClick={() => setTask('renew')} />}
            </div>
          </>
        )}
        {task && (
          <SecondFactorDialog
            task={task}
            calls={calls}
            t={t}
            tField={tField}
            desk={desk}
            username={username}
            onDone={() => {
              load();
              onChanged(t(`second.${task}.done`));
            }}
            onClose={() => setTask(null)}
          />
        )}
      </Section>
      {state && (
        <PasskeySection
          passkeys={state.passkeys}
          isCodeNeeded={state.isOn}
          calls={calls}
          t={t}
          tField={tField}
          locale={locale}
          desk={desk}
          onChanged={(text) => {
            load();
            onChanged(text);
          }}
        />
      )}
    </>
  );
}
