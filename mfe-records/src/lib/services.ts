import { type UseQueryOptions, useQuery } from '@tanstack/react-query';
import type { HostServices } from 'host/contract';
import { useScreenServices, useTexts } from 'host/ui/screen.tsx';
import type { AnyTexts } from 'host/ui/texts.ts';

/** The services of the host, within ScreenRoot. */
export const useServices = useScreenServices<HostServices>;

/** The services of the host, and the translator of `texts`. */
export function useDesk<M extends object>(texts: AnyTexts<M>) {
  return { ...useServices(), t: useTexts(texts) };
}

interface ReadOptions<T> extends Omit<UseQueryOptions<T>, 'queryFn'> {
  /** The request body; makes the request a POST. */
  body?: object;
}

/** Reads `url` from the API. All other options are those of `useQuery`. */
export function useRead<T>(url: string, { body, ...options }: ReadOptions<T>) {
  const { http } = useServices();
  return useQuery<T>({
    ...options,
    queryFn: async ({ signal }) =>
      (await (body ? http.post<T>(url, body, { signal }) : http.get<T>(url, { signal }))).data,
  });
}
