import type { CheckFinding, MoveInfo, PointerInfo } from 'api/contract/compositions';
import { Button } from 'host/ui/button.tsx';
import { copyText } from 'host/ui/copy-text.ts';
import { Icon } from 'host/ui/icon.tsx';
import { IconButton } from 'host/ui/icon-button.tsx';
import { CanaryControls } from './canary-controls.tsx';
import { shortId } from './change.ts';
import { authorText } from './change-list.tsx';
import styles from './composition.module.css';
import { EnvironmentTag } from './environment-tag.tsx';
import { Findings } from './findings.tsx';
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
      <div className={styles.liveTools}>
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
  if (!freeze && pins.length === 0 && !watch) return null;
  return (
    <ul className={`stack ${styles.restrictions}`}>
      {freeze && (
        <li className="banner">
          <Icon name="lock" />
          <p>{t('frozen', { ...freeze, until: formats.when(freeze.until) })}</p>
        </li>
      )}
      {pins.map((pin) => (
        <li className="banner" key={pin.part}>
          <Icon name="lock" />
          <p>{t('pinned', pin)}</p>
        </li>
      ))}
      {watch && (
        <li className="banner">
          <Icon name="info" />
          <p>{t('watched', { until: formats.when(watch.until), id: shortId(watch.from) })}</p>
        </li>
      )}
    </ul>
  );
}
