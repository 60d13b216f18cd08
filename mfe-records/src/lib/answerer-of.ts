import type { AnsweredBy } from 'api/contract/answers';
import type { DeskRecord } from 'api/contract/records';

/** Who answered: a person's reply counts more than the desk's answer. */
export function answererOf({
  source,
  answeredByPerson,
}: Pick<DeskRecord, 'source' | 'answeredByPerson'>): AnsweredBy {
  return answeredByPerson ? 'person' : source;
}
