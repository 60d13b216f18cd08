import { Button } from 'host/ui/button.tsx';
import { formatSize } from 'host/ui/format-size.ts';
import { useTexts } from 'host/ui/screen.tsx';
import styles from './list.module.css';
import { recordTexts } from './texts.ts';
import type { Transfer } from './use-transfer.ts';

/** The running download, with a cancel button. */
export function TransferStrip({ transfer }: { transfer: Transfer }) {
  const t = useTexts(recordTexts);
  const { running, cancel } = transfer;
  return (
    <div role="status">
      {running && (
        <div className={`${styles.strip} late`}>
          <p className="clip grow">{running.label}</p>
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
