import type { Translate } from 'host/contract';
import { EmptyState } from 'host/ui/problem.tsx';
import { Link } from 'react-router-dom';

export interface ForbiddenTexts {
  forbidden: string;
  'forbidden.about': string;
  'forbidden.back': string;
}

/** Shown instead of a screen to accounts without the right to use it. */
export function Forbidden({ t }: { t: Translate<ForbiddenTexts> }) {
  return (
    <EmptyState title={t('forbidden')} about={t('forbidden.about')}>
      <Link className="button" to="/index">
        {t('forbidden.back')}
      </Link>
    </EmptyState>
  );
}
