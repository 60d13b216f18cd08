import { Icon } from 'host/ui/icon.tsx';
import { useEffect, useState } from 'react';
import styles from './composition.module.css';
import type { OpsLease } from './ops-token.ts';
import { useScreen } from './screen-context.ts';

const MINUTE = 60_000;
const LOOK_MS = 5_000;

interface TokenTagProps {
  lease: OpsLease | null;
  onEnter(): void;
  /** Opens the list of tokens. */
  onManage(): void;
  onForget(): void;
}

/** Shows whether changes are allowed and for how long, with a button to end it. */
export function TokenTag({ lease, onEnter, onManage, onForget }: TokenTagProps) {
  const { t } = useScreen();
  const minutes = useMinutesLeft(lease);
  if (!lease)
    return (
      <button className="button small" type="button" onClick={onEnter} aria-label={t('token.enter')}>
        <Icon name="lock" isSmall />
        <span className="label">{t('token.enter')}</span>
      </button>
    );
  const left = (
    <>
      <Icon name="lock" isSmall />
      <span>
        <span className="long">{t('token.valid', { name: lease.name })}</span>
        {t('token.left', { minutes })}
      </span>
    </>
  );
  return (
    <span className={styles.token}>
      {lease.isAdmin ? (
        <button className={`tag ${styles.manage}`} type="button" title={t('tokens')} onClick={onManage}>
          {left}
        </button>
      ) : (
        <span className="tag">{left}</span>
      )}
      <button className="button bare small" type="button" onClick={onForget} aria-label={t('token.forget')}>
        <Icon name="close" isSmall />
        <span className="label">{t('token.forget')}</span>
      </button>
    </span>
  );
}

function useMinutesLeft(lease: OpsLease | null): number {
  const left = () => (lease ? Math.max(1, Math.ceil((lease.endsAt - Date.now()) / MINUTE)) : 0);
  const [, setSeen] = useState(0);
  useEffect(() => {
    if (!lease) return;
    const timer = setInterval(() => setSeen(Math.ceil((lease.endsAt - Date.now()) / MINUTE)), LOOK_MS);
    return () => clearInterval(timer);
  }, [lease]);
  return left();
}
