import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { pause } from 'host/ui/queries.ts';
import { useServices } from '../../lib/services.ts';
import { asContactQuery, findContacts, hasText } from './contact-label.ts';

const TYPING_MS = 150;

/** The contacts that match the typed text, loaded after a pause in typing. Until then, the previous ones that also match it. */
export function useContacts(typed: string, limit: number, enabled = true) {
  const { http } = useServices();
  const query = asContactQuery(typed);
  const {
    data = [],
    isPlaceholderData,
    ...state
  } = useQuery({
    queryKey: ['contacts', query, limit],
    queryFn: async ({ signal }) => {
      if (query) await pause(TYPING_MS, signal);
      return findContacts(http, query, limit, signal);
    },
    enabled,
    placeholderData: keepPreviousData,
  });
  return { ...state, query, contacts: data.filter((one) => !isPlaceholderData || hasText(one, query)) };
}
