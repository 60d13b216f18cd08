import type { DeskRecord } from 'api/contract/records';
import type { Translate } from 'host/contract';
import { OutcomeMark, SourceMark } from 'host/ui/source-mark.tsx';
import { answererOf } from './answerer-of.ts';
import type { RecordTexts } from './texts.ts';

interface AnswererMarkProps {
  record: Pick<DeskRecord, 'source' | 'answeredByPerson' | 'outcome'>;
  t: Translate<RecordTexts>;
  /** Whether the label is a sentence. */
  isLong?: boolean;
}

/** Who answered, or that the answer may only help. */
export function AnswererMark({ record, t, isLong = false }: AnswererMarkProps) {
  const answerer = answererOf(record);
  if (answerer === 'none' && record.outcome === 'related')
    return <OutcomeMark outcome="related" label={t('outcome.related')} />;
  return (
    <SourceMark source={answerer} label={t(isLong ? `source.${answerer}.long` : `source.${answerer}`)} />
  );
}
