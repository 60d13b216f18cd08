import type { CanaryInfo, PointerInfo } from 'api/contract/compositions';
import { Button } from 'host/ui/button.tsx';
import { Icon } from 'host/ui/icon.tsx';
import { Segments } from 'host/ui/segments.tsx';
import { changesBetween, SHARES, shortId } from './change.ts';
import styles from './composition.module.css';
import { useScreen } from './screen-context.ts';

/** For each canary a bar with the share of visitors, and buttons to change or end it. */
export function CanaryControls({ pointer }: { pointer: PointerInfo }) {
  const { t } = useScreen();
  const { composition, canaries } = pointer;
  const live = shortId(composition.id);
  return (
    <div className={styles.share}>
      {canaries.map((canary) => (
        <Canary key={canary.id} canary={canary} pointer={pointer} />
      ))}
      {canaries.length === 0 && (
        <>
          <div className={styles.shareBar} role="img" aria-label={t('canary.barAll', { live })}>
            <Part share={100} />
          </div>
          <div className={styles.shareKey}>
            <span className="num">{t('live.percent', { id: live, share: 100 })}</span>
          </div>
        </>
      )}
      <p className={styles.what}>{t('canary.what')}</p>
    </div>
  );
}

function Canary({
  canary,
  pointer: { composition, canaries },
}: {
  canary: CanaryInfo;
  pointer: PointerInfo;
}) {
  const { t, formats, change } = useScreen();
  const live = shortId(composition.id);
  const id = shortId(canary.composition.id);
  const name = { canary: canary.id };
  // A halted canary keeps its share setting, but receives no visitors.
  const share = canary.halted ? 0 : canary.share;
  const shares = [...new Set([...SHARES, canary.share])].sort((one, other) => one - other);
  const parts = changesBetween(composition, canary.composition).map((part) => part.name);
  const label = t(canary.halted ? 'canary.again' : 'canary.share');
  return (
    <div className={styles.canary}>
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
              {canaries.length > 1 && `${parts.join(t('joint'))} · `}
              {t('canary.about', { time: formats.when(canary.startedAt), author: canary.author })}
            </span>
          </span>
          <Segments
            label={canaries.length > 1 ? `${label} ${parts.join(t('joint'))}` : label}
            choices={shares
              .filter((value) => value > 0 || !canary.halted)
              .map((value) => ({ value, label: `${value}%` }))}
            value={canary.halted ? Number.NaN : canary.share}
            isManual
            onChange={(next) => change({ kind: 'share', share: next, ...name })}
          />
          {canary.plan && !canary.halted && (
            <Button
              look="small"
              label={t(canary.paused ? 'canary.continue' : 'canary.pause')}
              onClick={() => change({ kind: canary.paused ? 'resume' : 'pause', ...name })}
            />
          )}
          <Button
            look="small"
            label={t(canary.halted ? 'canary.end' : 'canary.abort')}
            onClick={() => change({ kind: 'abort', ...name })}
          />
        </div>
      </div>
      {canary.plan && <Steps canary={canary} plan={canary.plan} />}
      {canary.halted && (
        <div className="banner mt-s3" role="status">
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
    </div>
  );
}

/** The steps, with the current one marked, and when the next one begins. */
function Steps({ canary, plan }: { canary: CanaryInfo; plan: NonNullable<CanaryInfo['plan']> }) {
  const { t, formats } = useScreen();
  const { share, paused, halted } = canary;
  const next = plan.steps.find((step) => step > share);
  const at = new Date(Date.parse(plan.since) + plan.everySeconds * 1000);
  const values = { share: next ?? 0, time: formats.when(at), count: plan.minPages };
  return (
    <div className={styles.steps}>
      <ol className="line wrap ink-2" aria-label={t('canary.steps')}>
        {plan.steps.map((step) => (
          <li key={step} className="num" aria-current={step === share ? 'step' : undefined}>
            {step}%
          </li>
        ))}
      </ol>
      <p className="quiet">
        {paused
          ? t('canary.paused', { author: paused.author, time: formats.when(paused.at) })
          : halted
            ? null
            : t(next === undefined ? 'canary.lastStep' : 'canary.nextStep', values)}
      </p>
    </div>
  );
}

/** Sized by script: the page's content security policy allows no style attributes. */
function Part({ share }: { share: number }) {
  if (share <= 0) return null;
  return <i style={{ flex: share }} />;
}
