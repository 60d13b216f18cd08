import { useQueryClient } from '@tanstack/react-query';
import type { ContactChange, ContactChangeReply, ContactDetails } from 'api/contract/contacts';
import { useRead, useServices } from '../lib/services.ts';

/** One contact, and the call that changes it. It is read again when the page becomes visible. */
export function useContact(id: string) {
  const { http } = useServices();
  const client = useQueryClient();
  const queryKey = ['contact page', id];
  const { data, error, isFetching, refetch } = useRead<ContactDetails>('/api/contacts/read', {
    queryKey,
    body: { id },
    staleTime: 0,
  });
  return {
    contact: data,
    failure: isFetching ? null : error,
    retry: () => void refetch(),
    /** Loads the contact again, and resolves when that is done. */
    refresh: async () => void (await refetch()),
    /** @throws HttpFailure, 409 if it was changed elsewhere since it was read. */
    async change(change: Omit<ContactChange, 'id' | 'revision'>): Promise<ContactChangeReply> {
      const body: ContactChange = { id, ...change, revision: data?.revision ?? 0 };
      const { data: changed } = await http.patch<ContactChangeReply>('/api/contacts', body);
      await client.cancelQueries({ queryKey });
      client.setQueryData(queryKey, changed);
      return changed;
    },
  };
}

export type OpenContact = ReturnType<typeof useContact>;
