import type { DeskRecord } from 'api/contract/records';
import type { FoundRecord } from 'api/contract/search';
import { EmptyState } from 'host/ui/problem.tsx';
import { useTexts } from 'host/ui/screen.tsx';
import { Link } from 'react-router-dom';
import { BackLink } from '../lib/back-link.tsx';
import listStyles from '../lib/list.module.css';
import { LoadProblem } from '../lib/load-problem.tsx';
import { historyTexts } from '../lib/texts.ts';
import type { Transfer } from '../lib/transfer.tsx';
import { useEscapeBack } from '../lib/use-escape-back.ts';
import styles from './detail.module.css';
import { RecordDetail } from './record-detail.tsx';
import type { Chosen } from './use-chosen-record.ts';

interface DetailPaneProps {
  shown: Chosen;
  isChosen: boolean;
  backAddress: string;
  transfer: Transfer;
  onChange(id: string, part: Partial<DeskRecord>): void;
  onErase(record: FoundRecord): void;
}

const pane = `${styles.detail} ${listStyles.open}`;

/** The chosen record beside the list, or why it cannot be shown. */
export function DetailPane({ shown, onChange, onErase, ...rest }: DetailPaneProps) {
  const t = useTexts(historyTexts);
  const { isChosen, backAddress } = rest;
  useEscapeBack(isChosen, backAddress);
  if (shown.status === 'ready') {
    const { record } = shown;
    return (
      <RecordDetail
        key={record.id}
        record={record}
        {...rest}
        onChange={(part) => onChange(record.id, part)}
        onErase={() => onErase(record)}
      />
    );
  }
  if (!isChosen) return <p className={`blank ${pane}`}>{t('history.choose')}</p>;
  const back = <BackLink className={styles.back} to={backAddress} label={t('back')} />;
  if (shown.status !== 'failed')
    return (
      <div className={pane} role="status" aria-label={t('history.loading')}>
        {back}
        <div className="stack gap-s4 late">
          <span className="skeleton-line most" />
          <span className="skeleton-line third" />
          <span className="skeleton-line full" />
          <span className="skeleton-line full" />
        </div>
      </div>
    );
  return (
    <div className={pane}>
      {back}
      {shown.failure.status === 404 ? (
        <EmptyState title={t('history.gone')} about={t('history.gone.about')}>
          <Link className="button" to={{ search: '?bin=1' }}>
            {t('bin.open')}
          </Link>
        </EmptyState>
      ) : (
        <LoadProblem failure={shown.failure} title={t('history.recordFailed')} onRetry={shown.retry} />
      )}
    </div>
  );
}
