import type { PointerInfo } from 'api/contract/compositions';
import { Icon } from 'host/ui/icon.tsx';
import { Segments } from 'host/ui/segments.tsx';
import { SHARES, shortId } from './change.ts';
import styles from './composition.module.css';
import { useScreen } from './screen-context.ts';

/** A bar with the share of visitors per composition and, for a running canary, buttons to change or end it. */
export function CanaryControls({ pointer: { composition, canary } }: { pointer: PointerInfo }) {
  const { t, formats, change } = useScreen();
  const live = shortId(composition.id);
  if (!canary)
    return (
      <div className={styles.share}>
        <div className={styles.shareBar} role="img" aria-label={t('canary.barAll', { live })}>
          <Part share={100} />
        </div>
        <div className={styles.shareKey}>
          <span className="num">{t('live.percent', { id: live, share: 100 })}</span>
        </div>
        <p className={styles.what}>{t('canary.what')}</p>
      </div>
    );
  const id = shortId(canary.composition.id);
  // A halted canary keeps its share setting, but receives no visitors.
  const share = canary.halted ? 0 : canary.share;
  const shares = [...new Set([...SHARES, canary.share])].sort((one, other) => one - other);
  return (
    <div className={styles.share}>
      <div
        className={styles.shareBar}
        role="img"
        aria-label={t('canary.bar', { live, canary: id, share, rest: 100 - share })}
      >
        <Part share={100 - share} />
        <Part share={share} />
      </div>
      <div className={styles.shareKey}>
        <span className="num">{t('live.percent', { id: live, share: 100 - share })}</span>
        <div className={styles.canarySet}>
          <span>
            <span className="num">{t('canary.of', { id })}</span>{' '}
            <span className="quiet">
              {t('canary.about', { time: formats.when(canary.startedAt), author: canary.author })}
            </span>
          </span>
          <Segments
            label={t(canary.halted ? 'canary.again' : 'canary.share')}
            choices={shares
              .filter((value) => value > 0 || !canary.halted)
              .map((value) => ({ value, label: `${value}%` }))}
            value={canary.halted ? Number.NaN : canary.share}
            isManual
            onChange={(next) => change({ kind: 'share', share: next })}
          />
          <button className="button small" type="button" onClick={() => change({ kind: 'abort' })}>
            {t(canary.halted ? 'canary.end' : 'canary.abort')}
          </button>
        </div>
      </div>
      {canary.halted && (
        <div className={`banner ${styles.halted}`} role="status">
          <Icon name="alert" />
          <p>
            {t('canary.halted', {
              time: formats.when(canary.halted.at),
              reason: formats.reason(canary.halted.reason),
              live,
            })}{' '}
            {t('canary.resume')}
          </p>
        </div>
      )}
      <p className={styles.what}>{t('canary.what')}</p>
    </div>
  );
}

/** Sized by script: the page's content security policy allows no style attributes. */
function Part({ share }: { share: number }) {
  if (share <= 0) return null;
  return <i style={{ flex: share }} />;
}
