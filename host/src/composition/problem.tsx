import { Icon } from 'host/ui/icon.tsx';
import type { OpsFailure } from './ops-calls.ts';
import { useScreen } from './screen-context.ts';

interface ProblemProps {
  title: string;
  failure: OpsFailure;
  retry(): void;
}

/** One part that has no answer: what is missing, why, and another attempt. The others go on. */
export function Problem({ title, failure, retry }: ProblemProps) {
  const { say } = useScreen();
  return (
    <div className="failed" role="alert">
      <h3>{title}</h3>
      <p>{failure.message}</p>
      <div className="row">
        <button className="button" type="button" onClick={retry}>
          <Icon name="retry" isSmall />
          {say('retry')}
        </button>
      </div>
    </div>
  );
}
