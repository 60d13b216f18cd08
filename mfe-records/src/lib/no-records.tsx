import type { Translate } from 'host/contract';
import { Link } from 'react-router-dom';
import type { RecordTexts } from './texts.ts';

interface NoRecordsProps {
  title: string;
  about: string;
  t: Translate<RecordTexts>;
}

/** Shown before the first question: explains the screen and links to the consultation. */
export function NoRecords({ title, about, t }: NoRecordsProps) {
  return (
    <div className="failed">
      <h2>{title}</h2>
      <p>{about}</p>
      <div className="row">
        <Link className="button primary" to="/index">
          {t('history.ask')}
        </Link>
      </div>
    </div>
  );
}
