import { useTexts } from 'host/ui/screen.tsx';
import { Link } from 'react-router-dom';
import { recordTexts } from './texts.ts';

interface NoRecordsProps {
  title: string;
  about: string;
}

/** Shown before the first question: explains the screen and links to the consultation. */
export function NoRecords({ title, about }: NoRecordsProps) {
  const t = useTexts(recordTexts);
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
