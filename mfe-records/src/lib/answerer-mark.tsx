import type { AnsweredBy } from 'api/contract/answers';
import type { DeskRecord } from 'api/contract/records';
import { useTexts } from 'host/ui/screen.tsx';
import { OutcomeMark, SourceMark } from 'host/ui/source-mark.tsx';
import { recordTexts } from './texts.ts';

interface AnswererMarkProps {
  record: Pick<DeskRecord, 'source' | 'answeredByPerson' | 'outcome'>;
  /** Whether the label is a sentence. */
  isLong?: boolean;
}

/** Who answered, or that the answer may only help. */
export function AnswererMark({ record, isLong = false }: AnswererMarkProps) {
  const t = useTexts(recordTexts);
  const answerer = answererOf(record);
  if (answerer === 'none' && record.outcome === 'related')
    return <OutcomeMark outcome="related" label={t('outcome.related')} />;
  return (
    <SourceMark source={answerer} label={t(isLong ? `source.${answerer}.long` : `source.${answerer}`)} />
  );
}

/** Who answered: a person's reply takes precedence over the desk's answer. */
export function answererOf({
  source,
  answeredByPerson,
}: Pick<DeskRecord, 'source' | 'answeredByPerson'>): AnsweredBy {
  return answeredByPerson ? 'person' : source;
}
