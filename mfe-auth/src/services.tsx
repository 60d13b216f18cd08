import type { AdminReply } from 'api/contract/accounts';
import type { HostServices, Screen, Texts } from 'host/contract';
import { asFailure, type Failure } from 'host/ui/failure.ts';
import { ScreenServices, useScreenServices, useTexts } from 'host/ui/screen.tsx';
import type { AnyTexts } from 'host/ui/texts.ts';
import { useStream } from 'host/ui/use-stream.ts';
import { type ComponentType, useEffect, useEffectEvent, useState } from 'react';
import { loginTexts } from './texts.ts';

/** The screen with this content and the labels of its texts. */
export function screenOf(
  Content: ComponentType,
  texts: Texts<Record<'close' | 'cancel' | 'retry', unknown>>,
): Screen {
  return function ScreenOf({ services, controls }) {
    return (
      <ScreenServices services={services} controls={controls} labels={texts}>
        <Content />
      </ScreenServices>
    );
  };
}

/** The services of the host, within a screen. */
export const useServices = useScreenServices<HostServices>;

/** The services of the host, and the translator of `texts`. */
export function useDesk<M extends object>(texts: AnyTexts<M>) {
  return { ...useServices(), t: useTexts(texts) };
}

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

interface ReadOptions {
  params?: object;
  /** Makes the request a POST. */
  body?: object;
}

/** Reads `url` when the component is mounted and on `again`. The previous data stays meanwhile and after a failure. */
export function useRead<T>(url: string, { params, body }: ReadOptions = {}) {
  const { http } = useServices();
  const [data, setData] = useState<T>();
  const [failure, setFailure] = useState<Failure | null>(null);
  const [attempt, setAttempt] = useState(0);
  const read = useEffectEvent((signal: AbortSignal) =>
    body ? http.post<T>(url, body, { signal }) : http.get<T>(url, { params, signal }),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt reads again
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    setFailure(null);
    read(signal).then(
      ({ data: found }) => signal.aborted || setData(found),
      (thrown) => signal.aborted || setFailure(asFailure(thrown)),
    );
    return () => leaving.abort();
  }, [attempt]);
  return { data, setData, failure, again: () => setAttempt((before) => before + 1) };
}
