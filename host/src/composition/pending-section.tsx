import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { PendingChange } from 'api/contract/compositions';
import { Button } from 'host/ui/button.tsx';
import { Fault } from 'host/ui/fault.tsx';
import { Section } from 'host/ui/section.tsx';
import { shortId } from './change.ts';
import { byText } from './change-list.tsx';
import styles from './composition.module.css';
import { useOpsAction, useScreen } from './screen-context.ts';

const POLL_MS = 15_000;

/** Changes that wait for the approval of another token. Renders nothing if there are none. */
export function PendingSection() {
  const { t, calls } = useScreen();
  const { data } = useQuery({ ...calls.pendingChanges, staleTime: POLL_MS, refetchInterval: POLL_MS });
  const waiting = data?.changes.filter(({ state }) => state === 'waiting') ?? [];
  if (waiting.length === 0) return null;
  return (
    <Section title={t('pending')}>
      <p className="ink-2">{t('pending.why')}</p>
      <ul className={`stack gap-s3 mt-s3 ${styles.rows}`}>
        {waiting.map((change) => (
          <Pending key={change.id} change={change} />
        ))}
      </ul>
    </Section>
  );
}

function Pending({ change }: { change: PendingChange }) {
  const { t, formats, calls, toasts, unlock } = useScreen();
  const client = useQueryClient();
  const { isBusy, failure, run: write } = useOpsAction();
  const { id, kind, names, author, token, reason, requestedAt, expiresAt } = change;
  const what = [t(`pending.${kind}`), ...names].join(' ');

  const run = async (action: () => Promise<string>) => {
    await write(async () => toasts.show({ kind: 'success', text: await action() }));
    for (const { queryKey } of [calls.pendingChanges, calls.pointer])
      void client.invalidateQueries({ queryKey });
  };
  const approve = async () =>
    t('pending.approved', { id: shortId((await calls.approve(id)).composition.id) });
  const reject = async () => {
    await calls.reject(id);
    return t('pending.rejected');
  };

  return (
    <li>
      <div className={styles.rowText}>
        <p>
          <span className="tag accent">{t(`pending.${kind}`)}</span>{' '}
          <code className="type-code">{names.join(' ')}</code>
        </p>
        {reason && <p className="breakable">{reason}</p>}
        <small>
          {t('pending.about', {
            author: byText({ author, token }, t),
            time: formats.when(requestedAt),
            until: formats.when(expiresAt),
          })}
        </small>
        {failure && <Fault>{failure.message}</Fault>}
      </div>
      <div className="line wrap">
        <Button
          look="small"
          label={t('pending.reject')}
          disabled={isBusy}
          aria-label={t('pending.rejectOf', { what })}
          onClick={() => unlock(() => void run(reject))}
        />
        <Button
          look="primary small"
          label={t('pending.approve')}
          disabled={isBusy}
          aria-label={t('pending.approveOf', { what })}
          onClick={() => unlock(() => void run(approve))}
        />
      </div>
    </li>
  );
}
