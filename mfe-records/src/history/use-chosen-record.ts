import type { DeskRecord } from 'api/contract/records';
import type { FoundRecord } from 'api/contract/search';
import type { Http, HttpFailure } from 'host/contract';
import { useState } from 'react';
import { useAnswer } from '../filters/use-answer.ts';
import type { FoundRecords } from './found-records.ts';

export type Chosen =
  | { is: 'none' | 'loading' }
  | { is: 'failed'; failure: HttpFailure; retry(): void }
  | { is: 'ready'; record: FoundRecord };

/** The record that the address names: from the list, or read by itself where the list has not got it. */
export function useChosenRecord(
  http: Http,
  id: string | null,
  found: FoundRecords | null,
  records: FoundRecord[],
) {
  const [changes, setChanges] = useState<Record<string, Partial<DeskRecord>>>({});
  const listed = records.find((record) => record.id === id);
  const isAlone = id !== null && !listed && Boolean(found?.state$.value.hasBegun);
  const alone = useAnswer(isAlone ? id : null, async (signal) => {
    const { data } = await http.get<DeskRecord>(`/api/records/${encodeURIComponent(id ?? '')}`, { signal });
    return { ...data, highlights: [] };
  });

  const change = (changed: string, part: Partial<DeskRecord>) => {
    found?.change(changed, part);
    setChanges((before) => ({ ...before, [changed]: { ...before[changed], ...part } }));
  };
  return { chosen: chosenNow(), change };

  function chosenNow(): Chosen {
    if (id === null) return { is: 'none' };
    if (listed) return { is: 'ready', record: listed };
    if (!isAlone) return { is: 'loading' };
    if (alone.failure) return { is: 'failed', failure: alone.failure, retry: alone.retry };
    if (!alone.value || alone.key !== id) return { is: 'loading' };
    return { is: 'ready', record: { ...alone.value, ...changes[id] } };
  }
}
