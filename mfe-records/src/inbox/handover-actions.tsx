import type { InboxDetail } from 'api/contract/handover';
import type { Translate } from 'host/contract';
import { Button } from 'host/ui/button.tsx';
import { Icon } from 'host/ui/icon.tsx';
import { Link } from 'react-router-dom';
import styles from './handover.module.css';
import type { InboxTexts } from './inbox-texts.ts';
import type { HandoverAction } from './use-handover-changes.ts';

interface HandoverActionsProps {
  detail: InboxDetail;
  running: HandoverAction | null;
  t: Translate<InboxTexts>;
  onAct(action: HandoverAction): void;
  /** Opens the form for a curated answer. */
  onPair(): void;
}

/** What an editor can do with a request. One of another editor can be released, because that person may be absent. */
export function HandoverActions({ detail, running, t, onAct, onPair }: HandoverActionsProps) {
  const { handover, agent, isMine, pairId } = detail;
  const isOpen = handover.state !== 'closed';
  const isBusy = running !== null;
  const act = (action: HandoverAction) => ({
    type: 'button' as const,
    'aria-disabled': isBusy || undefined,
    onClick: () => {
      if (!isBusy) onAct(action);
    },
  });
  return (
    <>
      {isOpen && agent !== null && !isMine && (
        <p className={styles.theirs}>
          <Icon name="info" isSmall />
          {t('theirs', { name: agent })}
        </p>
      )}
      <div className={styles.actions}>
        {isOpen && agent === null && (
          <button className="button small primary" {...act('take')}>
            {t('take')}
          </button>
        )}
        {isOpen && agent !== null && (
          <button className="button small" title={t('release.about')} {...act('release')}>
            {t('release')}
          </button>
        )}
        {isOpen && (
          <button className="button small" {...act('close')}>
            {t('finish')}
          </button>
        )}
        <Button look="small" label={t('pair.make')} title={t('pair.make.about')} onClick={onPair} />
        {pairId && (
          <Link className={styles.pair} to="/knowledge?v=pairs">
            <Icon name="check" isSmall />
            {t('pair.show')}
          </Link>
        )}
      </div>
    </>
  );
}
