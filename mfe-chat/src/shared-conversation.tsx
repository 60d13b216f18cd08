import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import type { SharedConversation, SharedFile } from 'api/contract/sharing';
import type { HostServices, ScreenProps } from 'host/contract';
import { Button } from 'host/ui/button.tsx';
import { asFailure } from 'host/ui/failure.ts';
import { Icon } from 'host/ui/icon.tsx';
import { PartServices } from 'host/ui/late-part.tsx';
import { EmptyState, Problem } from 'host/ui/problem.tsx';
import { createQueryClient } from 'host/ui/queries.ts';
import { saveFile } from 'host/ui/save-file.ts';
import { ScreenHead, ScreenServices, useFormats, useScreenServices, useTexts } from 'host/ui/screen.tsx';
import { Skeleton } from 'host/ui/skeleton.tsx';
import { useDelayed } from 'host/ui/use-delayed.ts';
import { type ReactNode, useEffect, useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { ReadRecords } from './conversation/reading/read-records.tsx';
import styles from './shared-conversation.module.css';
import { readingTexts, sharedTexts } from './state/part-texts.ts';

export const texts = [sharedTexts, readingTexts];

/** The screen of /shared: a conversation that its owner shares through a link, whose token is the fragment of the address. */
export default function SharedScreen({ services, controls }: ScreenProps) {
  const token = useLocation().hash.slice(1);
  return (
    <PartServices value={services}>
      <ScreenServices services={services} controls={controls} labels={sharedTexts}>
        {token ? (
          <Conversation key={token} token={token} />
        ) : (
          <Page>
            <Gone />
          </Page>
        )}
      </ScreenServices>
    </PartServices>
  );
}

function Conversation({ token }: { token: string }) {
  const { http, toasts } = useScreenServices<HostServices>();
  const t = useTexts(sharedTexts);
  const { locale } = useFormats();
  const [queries] = useState(createQueryClient);
  useEffect(() => {
    queries.mount();
    return () => queries.unmount();
  }, [queries]);
  const { data, error, isPending, isFetchingNextPage, hasNextPage, fetchNextPage, refetch } =
    useInfiniteQuery(pagesOf(http, token), queries);
  const isSlow = useDelayed(isPending);
  // After the link is revoked, records that were already loaded are hidden, too.
  const isGone = error !== null && asFailure(error).status === 404;
  const shown = isGone ? undefined : data;

  const download = async ({ id, name }: SharedFile) => {
    try {
      const body = { token, file: id };
      saveFile((await http.post<Blob>('/api/shared/file', body, { responseType: 'blob' })).data, name);
    } catch (reason) {
      toasts.show({ kind: 'error', text: asFailure(reason).message });
    }
  };

  return (
    <Page title={shown?.pages[0]?.title}>
      {isGone && <Gone />}
      {!shown && error && !isGone && (
        <Problem title={t('failed')} message={error.message} onRetry={() => void refetch()} />
      )}
      {isPending && isSlow && <Skeleton label={t('loading')} lines={['half', 'full', 'most']} />}
      {shown && (
        <>
          <p className={styles.about}>{t('about', { date: dateOf(shown.pages[0]?.updatedAt, locale) })}</p>
          <ReadRecords
            records={shown.pages.flatMap(({ records }) => records)}
            onDownload={(file) => void download(file)}
          />
          {hasNextPage && (
            <Button
              look={styles.more}
              label={t(isFetchingNextPage ? 'loading' : 'more')}
              isOff={isFetchingNextPage}
              onClick={() => void fetchNextPage()}
            />
          )}
        </>
      )}
    </Page>
  );
}

function pagesOf(http: HostServices['http'], token: string) {
  return infiniteQueryOptions({
    queryKey: ['shared', token],
    async queryFn({ pageParam, signal }) {
      const body = { token, from: pageParam };
      return (await http.post<SharedConversation>('/api/shared', body, { signal })).data;
    },
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next,
    // Loaded again when the page becomes visible, because the link may have been revoked.
    staleTime: 0,
  });
}

function dateOf(iso: string | undefined, locale: string): string {
  return iso ? new Intl.DateTimeFormat(locale, { dateStyle: 'long' }).format(new Date(iso)) : '';
}

function Page({ title, children }: { title?: string | undefined; children: ReactNode }) {
  const t = useTexts(sharedTexts);
  return (
    <main className={`page ${styles.page}`} id="main" tabIndex={-1}>
      <ScreenHead title={title || t('title')} isClipped />
      <div className={`body ${styles.body}`}>
        <div className={styles.content}>{children}</div>
      </div>
    </main>
  );
}

function Gone() {
  const t = useTexts(sharedTexts);
  return (
    <EmptyState role="alert" title={t('gone')} about={t('goneHint')}>
      <Link className="button" to="/index">
        <Icon name="chat" isSmall />
        {t('toDesk')}
      </Link>
    </EmptyState>
  );
}
