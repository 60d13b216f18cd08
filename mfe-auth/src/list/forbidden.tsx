import type { Translate } from 'host/contract';
import { Link } from 'react-router-dom';

export interface ForbiddenTexts {
  forbidden: string;
  'forbidden.about': string;
  'forbidden.back': string;
}

/** What accounts without the right see in place of a screen. */
export function Forbidden({ t }: { t: Translate<ForbiddenTexts> }) {
  return (
    <div className="failed">
      <h2>{t('forbidden')}</h2>
      <p>{t('forbidden.about')}</p>
      <div className="row">
        <Link className="button" to="/index">
          {t('forbidden.back')}
        </Link>
      </div>
    </div>
  );
}
