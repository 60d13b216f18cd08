import { EmptyState } from 'host/ui/problem.tsx';
import { useTexts } from 'host/ui/screen.tsx';
import { Link } from 'react-router-dom';
import { recordTexts } from './texts.ts';

/** Shown before the first question: explains the screen and links to the consultation. */
export function NoRecords({ title, about }: { title: string; about: string }) {
  const t = useTexts(recordTexts);
  return (
    <EmptyState title={title} about={about}>
      <Link className="button primary" to="/index">
        {t('history.ask')}
      </Link>
    </EmptyState>
  );
}
