import { Problem } from 'host/ui/problem.tsx';
import { useScreen } from './screen-context.ts';

interface PartProblemProps {
  title: string;
  error: { message: string };
  onRetry(): void;
}

/** Shown instead of a part of the screen that could not be loaded. */
export function PartProblem({ title, error, onRetry }: PartProblemProps) {
  const { t } = useScreen();
  return (
    <Problem level={3} title={title} message={error.message} retryLabel={t('retry')} onRetry={onRetry} />
  );
}
