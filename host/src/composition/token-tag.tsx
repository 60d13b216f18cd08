import { Button } from 'host/ui/button.tsx';
import { Icon } from 'host/ui/icon.tsx';
import { useSecondsUntil } from 'host/ui/use-seconds-until.ts';
import { type RefObject, useEffect, useRef } from 'react';
import styles from './composition.module.css';
import type { OpsLease } from './ops-token.ts';
import { useScreen } from './screen-context.ts';

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
  const minutes = Math.max(1, Math.ceil(useSecondsUntil(lease?.endsAt ?? null) / 60));
  const first = useRef<HTMLButtonElement>(null);
  useFocusAfterChange(lease !== null, first);
  if (!lease)
    return (
      <Button
        look="small"
        icon="lock"
        label={<span className="label">{t('token.enter')}</span>}
        ref={first}
        onClick={onEnter}
        aria-label={t('token.enter')}
      />
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
    <span className={`line gap-s1 ${styles.token}`}>
      {lease.isAdmin ? (
        <button
          ref={first}
          className={`tag ${styles.manage}`}
          type="button"
          title={t('tokens')}
          onClick={onManage}
        >
          {left}
        </button>
      ) : (
        <span className="tag">{left}</span>
      )}
      <Button
        look="bare small"
        icon="close"
        label={<span className="label">{t('token.forget')}</span>}
        ref={lease.isAdmin ? undefined : first}
        onClick={onForget}
        aria-label={t('token.forget')}
      />
    </span>
  );
}

/** The pressed button was replaced: moves the focus to the new one, unless another element has it. */
function useFocusAfterChange(isLeased: boolean, first: RefObject<HTMLButtonElement | null>): void {
  const before = useRef(isLeased);
  useEffect(() => {
    if (before.current === isLeased) return;
    before.current = isLeased;
    const focused = document.activeElement;
    if (focused === document.body || focused?.id === 'main') first.current?.focus();
  }, [isLeased, first]);
}
