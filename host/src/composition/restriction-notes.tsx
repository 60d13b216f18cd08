import type { PointerInfo } from 'api/contract/compositions';
import { Icon } from 'host/ui/icon.tsx';
import { shortId } from './change.ts';
import styles from './composition.module.css';
import { useScreen } from './screen-context.ts';

/** What prevents changes at the moment, and whether the live composition is watched. */
export function RestrictionNotes({ pointer: { freeze, pins, watch } }: { pointer: PointerInfo }) {
  const { t, formats } = useScreen();
  if (!freeze && pins.length === 0 && !watch) return null;
  return (
    <ul className={styles.restrictions}>
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
