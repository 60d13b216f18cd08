import { Button } from 'host/ui/button.tsx';
import { formatSize } from 'host/ui/format-size.ts';
import { useTexts } from 'host/ui/screen.tsx';
import { recordTexts } from './texts.ts';
import styles from './transfer-strip.module.css';
import type { Transfer } from './use-transfer.ts';

/** The running download, with a cancel button. */
export function TransferStrip({ transfer }: { transfer: Transfer }) {
  const t = useTexts(recordTexts);
  const { running, cancel } = transfer;
  return (
    <div role="status">
      {running && (
        <div className={`${styles.transfer} late`}>
          <p className="clip">{running.label}</p>
          {running.received > 0 && (
            <span className="num quiet">
              {t('transfer.received', { size: formatSize(running.received) })}
            </span>
          )}
          <Button look="small bare" label={t('cancel')} onClick={cancel} />
        </div>
      )}
    </div>
  );
}
