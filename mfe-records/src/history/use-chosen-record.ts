import { useQuery } from '@tanstack/react-query';
import type { DeskRecord } from 'api/contract/records';
import type { FoundRecord } from 'api/contract/search';
import type { HttpFailure } from 'host/contract';
import { useState } from 'react';
import { useServices } from '../lib/services.ts';
import type { FoundRecords } from './use-found-records.ts';

export type Chosen =
  | { status: 'none' | 'loading' }
  | { status: 'failed'; failure: HttpFailure; retry(): void }
  | { status: 'ready'; record: FoundRecord };

/** The record in the address: from the list, or loaded separately. */
export function useChosenRecord(id: string | null, found: FoundRecords) {
  const { http } = useServices();
  const [changes, setChanges] = useState<Record<string, Partial<DeskRecord>>>({});
  const listed = found.records.find((record) => record.id === id);
  const alone = useQuery({
    queryKey: ['record', id],
    queryFn: async ({ signal }): Promise<FoundRecord> => {
      const url = `/api/records/${encodeURIComponent(id ?? '')}`;
      return { ...(await http.get<DeskRecord>(url, { signal })).data, highlights: [] };
    },
    enabled: id !== null && !listed && found.hasBegun,
  });

  const change = (changed: string, part: Partial<DeskRecord>) => {
    found.change(changed, part);
    setChanges((before) => ({ ...before, [changed]: { ...before[changed], ...part } }));
  };
  return { chosen: chosenNow(), change };

  function chosenNow(): Chosen {
    if (id === null) return { status: 'none' };
    if (listed) return { status: 'ready', record: listed };
    if (alone.error) return { status: 'failed', failure: alone.error, retry: () => void alone.refetch() };
    if (!alone.data) return { status: 'loading' };
    return { status: 'ready', record: { ...alone.data, ...changes[id] } };
  }
}
