import { Icon } from 'host/ui/icon.tsx';
import type { OpsFailure } from './ops-calls.ts';
import { useScreen } from './screen-context.ts';

interface ProblemProps {
  title: string;
  failure: OpsFailure;
  retry(): void;
}

/** A part that could not be loaded: title, reason and retry. The other parts keep working. */
export function Problem({ title, failure, retry }: ProblemProps) {
  const { t } = useScreen();
  return (
    <div className="failed" role="alert">
      <h3>{title}</h3>
      <p>{failure.message}</p>
      <div className="row">
        <button className="button" type="button" onClick={retry}>
          <Icon name="retry" isSmall />
          {t('retry')}
        </button>
      </div>
    </div>
  );
}
