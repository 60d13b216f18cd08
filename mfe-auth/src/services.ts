import type { AdminReply } from 'api/contract/accounts';
import type { HostServices } from 'host/contract';
import { useScreenServices, useTexts } from 'host/ui/screen.tsx';
import { useStream } from 'host/ui/use-stream.ts';
import { loginTexts } from './texts.ts';

/** The services of the host, within a screen. */
export const useServices = useScreenServices<HostServices>;

/** '' for a guest. */
export function useUsername(): string {
  return useStream(useServices().session.username$);
}

export function useDeskName(): string {
  const t = useTexts(loginTexts);
  return useServices().desk?.name || t('product');
}

/**
 * The data of a reply of /admin. Calls that change the account have no signal: the server completes a change whose client has gone, so that aborting it
 * would only hide its result.
 * @throws Error with the server's message if it refuses (200 with `code: 0`)
 */
export async function accepted<T>(reply: Promise<{ data: AdminReply<T> }>): Promise<T | undefined> {
  const { data } = await reply;
  if (data.code !== 1) throw new Error(data.msg);
  return data.data;
}
