import type { Translate } from 'host/contract';
import type { RecordTexts } from './texts.ts';
import styles from './transfer-strip.module.css';
import type { Transfer } from './use-transfer.ts';

/** The running download, with a cancel button. */
export function TransferStrip({ transfer, t }: { transfer: Transfer; t: Translate<RecordTexts> }) {
  const { running, cancel } = transfer;
  return (
    <div role="status">
      {running && (
        <div className={styles.transfer}>
          <p className="clip">{running.label}</p>
          {running.received > 0 && (
            <span className="num quiet">{t('transfer.received', { size: sizeOf(running.received) })}</span>
          )}
          <button className="button small bare" type="button" onClick={cancel}>
            {t('cancel')}
          </button>
        </div>
      )}
    </div>
  );
}

function sizeOf(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
