import type { KnowledgeChange, KnowledgeCheck } from 'api/contract/knowledge';
import { Fault } from 'host/ui/fault.tsx';
import { useTexts } from 'host/ui/screen.tsx';
import { useRead } from '../../lib/services.ts';
import { knowledgeTexts } from '../../lib/texts.ts';
import { ChangedAnswers } from './changed-answers.tsx';

/** Which questions are answered differently after a change of the knowledge. */
export function useChangeCheck(change: KnowledgeChange) {
  return useRead<KnowledgeCheck>('/api/knowledge/check', {
    queryKey: ['check', change],
    body: change,
    refetchOnMount: 'always',
  });
}

interface ChangeCheckProps {
  query: ReturnType<typeof useChangeCheck>;
  /** The result of the check without the intended effects; by default all of it. */
  check?: KnowledgeCheck | undefined;
  /** Text if no question is answered differently. */
  same(check: KnowledgeCheck): string;
}

/** The result of `useChangeCheck`, or a text while it is loading. */
export function ChangeCheck({ query, check = query.data, same }: ChangeCheckProps) {
  const t = useTexts(knowledgeTexts);
  const { isFetching, error } = query;
  const found = isFetching ? undefined : check;
  const isSame = found && found.changed.length + found.golden.length === 0;
  return (
    <div aria-live="polite" aria-busy={isFetching}>
      {isFetching && <p className="quiet late">{t('check.running')}</p>}
      {error && !isFetching && <Fault isQuiet>{t('check.failed', { message: error.message })}</Fault>}
      {found && (isSame ? <p className="quiet">{same(found)}</p> : <ChangedAnswers check={found} />)}
    </div>
  );
}
