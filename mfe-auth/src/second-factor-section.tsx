import type { SecondFactorState } from 'api/contract/accounts';
import { Button } from 'host/ui/button.tsx';
import { Problem } from 'host/ui/problem.tsx';
import { useTexts } from 'host/ui/screen.tsx';
import { Section } from 'host/ui/section.tsx';
import { useState } from 'react';
import { PasskeySection } from './passkey-section.tsx';
import { SecondFactorDialog, type SecondFactorTask } from './second-factor-dialog.tsx';
import { accountTexts } from './texts.ts';
import type { useRead } from './use-read.ts';

interface SecondFactorSectionProps {
  security: ReturnType<typeof useRead<SecondFactorState>>;
  onChanged(text: string): void;
}

/** Whether the account has a second factor, with buttons to switch it on and off, and its passkeys. Empty for accounts without a password. */
export function SecondFactorSection({ security, onChanged }: SecondFactorSectionProps) {
  const t = useTexts(accountTexts);
  const { data: state, failure, again } = security;
  const [task, setTask] = useState<SecondFactorTask | null>(null);
  const toggle = state?.isOn ? 'turnOff' : 'turnOn';

  if (!state?.hasPassword && !failure) return null;
  return (
    <>
      <Section
        title={t('second')}
        className=""
        aside={state?.isOn && <span className="tag accent">{t('second.on')}</span>}
      >
        {failure ? (
          <Problem
            level={3}
            title={t('second.failed')}
            message={failure.message}
            retryLabel={t('retry')}
            onRetry={again}
          />
        ) : (
          <>
            <p className="mb-s4 type-small ink-2">
              {state?.isOn ? t('second.left', { count: state.recoveryCodes }) : t('second.about')}
            </p>
            <div className="line wrap mb-s2">
              {/* The same button element in both states, so that the focus returns to it. */}
              <Button label={t(`second.${toggle}.open`)} onClick={() => setTask(toggle)} />
              {state?.isOn && <Button label={t('second.renew.open')} onClick={() => setTask('renew')} />}
            </div>
          </>
        )}
        {task && (
          <SecondFactorDialog
            task={task}
            onDone={() => onChanged(t(`second.${task}.done`))}
            onClose={() => setTask(null)}
          />
        )}
      </Section>
      {state && <PasskeySection passkeys={state.passkeys} isCodeNeeded={state.isOn} onChanged={onChanged} />}
    </>
  );
}
