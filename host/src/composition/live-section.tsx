import type { CanaryInfo, CheckFinding, MoveInfo, PointerInfo } from 'api/contract/compositions';
import { Button } from 'host/ui/button.tsx';
import { copyText } from 'host/ui/copy-text.ts';
import { Icon } from 'host/ui/icon.tsx';
import { IconButton } from 'host/ui/icon-button.tsx';
import { Segments } from 'host/ui/segments.tsx';
import { changesBetween, SHARES, shortId } from './change.ts';
import { authorText } from './change-list.tsx';
import styles from './composition.module.css';
import { EnvironmentTag } from './environments-section.tsx';
import { Findings } from './problems.tsx';
import { useScreen } from './screen-context.ts';

interface LiveSectionProps {
  pointer: PointerInfo;
  /** The change that made it live, once loaded. */
  move: MoveInfo | undefined;
  /** Warnings of that change. */
  warnings: readonly CheckFinding[] | undefined;
}

/** What is live, since when, by whom and why; with buttons to roll back and for the canary. */
export function LiveSection({ pointer, move, warnings }: LiveSectionProps) {
  const { t, formats, change, toasts } = useScreen();
  const { composition, previous, movedAt, canaries } = pointer;
  const id = shortId(composition.id);
  const copy = () => copyText(composition.id, toasts, { copied: t('copied'), failed: t('live.notCopied') });
  const reason = move?.kind === 'start' ? '' : (move?.reason ?? composition.reason);
  const author = move?.author ?? composition.author;
  const about = {
    // `movedAt` is the time of the last change, which may concern the canary only.
    time: formats.when(move?.at ?? movedAt),
    author: authorText(author, t),
    count: composition.remotes.length,
  };
  return (
    <section className={`type-small ink-2 ${styles.live}`} aria-labelledby="composition-live">
      <div>
        <div className="line wrap">
          <h2 className="type-small quiet" id="composition-live">
            {t('live')}
          </h2>
          <EnvironmentTag name={pointer.environment} />
        </div>
        <p className={`line gap-s1 ${styles.hash}`}>
          <code title={composition.id}>{id}</code>
          <IconButton icon="copy" label={t('live.copy', { id })} hasTitle isSmall onClick={copy} />
        </p>
        <p>{t(previous ? 'live.about' : author === 'start' ? 'live.start' : 'live.first', about)}</p>
        {reason && <p className="breakable">{t('live.reason', { reason })}</p>}
        {!previous && <p>{t('live.only')}</p>}
        <p className={styles.what}>{t('live.what')}</p>
        <div role="status">{warnings && <Findings findings={warnings} areWarnings />}</div>
      </div>
      <div className={`line wrap to-end ${styles.liveTools}`}>
        {previous && (
          <Button
            look="danger-quiet"
            icon="undo"
            label={t('live.rollback', { id: shortId(previous) })}
            onClick={() => change({ kind: 'rollback', to: previous })}
          />
        )}
        {canaries
          .filter(({ halted }) => !halted)
          .map((canary) => (
            <Button
              key={canary.id}
              label={t('canary.promote', { id: shortId(canary.composition.id) })}
              onClick={() => change({ kind: 'promote', canary: canary.id })}
            />
          ))}
      </div>
      <RestrictionNotes pointer={pointer} />
      <CanaryControls pointer={pointer} />
    </section>
  );
}

/** What prevents changes at the moment, and whether the live composition is watched. */
function RestrictionNotes({ pointer: { freeze, pins, watch } }: { pointer: PointerInfo }) {
  const { t, formats } = useScreen();
  const frozen = freeze && t('frozen', { ...freeze, until: formats.when(freeze.until) });
  const watched = watch && t('watched', { until: formats.when(watch.until), id: shortId(watch.from) });
  const notes = [frozen, ...pins.map((pin) => t('pinned', pin)), watched].filter((note) => note !== null);
  if (notes.length === 0) return null;
  return (
    <ul className={`stack ${styles.restrictions}`}>
      {notes.map((note) => (
        <li className="banner" key={note}>
          <Icon name={note === watched ? 'info' : 'lock'} />
          <p>{note}</p>
        </li>
      ))}
    </ul>
  );
}

/** For each canary a bar with the share of visitors, and buttons to change or end it. */
function CanaryControls({ pointer }: { pointer: PointerInfo }) {
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

interface CanaryProps {
  canary: CanaryInfo;
  pointer: PointerInfo;
}

function Canary({ canary, pointer: { composition, canaries } }: CanaryProps) {
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
