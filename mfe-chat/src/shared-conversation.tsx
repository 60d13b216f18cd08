import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import type { SharedConversation, SharedFile } from 'api/contract/sharing';
import type { HostServices, ScreenProps } from 'host/contract';
import { Button } from 'host/ui/button.tsx';
import { asFailure } from 'host/ui/failure.ts';
import { Icon } from 'host/ui/icon.tsx';
import { PartServices } from 'host/ui/late-part.tsx';
import { Problem } from 'host/ui/problem.tsx';
import { createQueryClient } from 'host/ui/queries.ts';
import { saveFile } from 'host/ui/save-file.ts';
import { Skeleton } from 'host/ui/skeleton.tsx';
import { useDelayed } from 'host/ui/use-delayed.ts';
import { useTranslate } from 'host/ui/use-translate.ts';
import { type ReactNode, useEffect, useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { ReadRecords } from './conversation/reading/read-records.tsx';
import { readingTexts, sharedTexts } from './conversation/reading/reading-texts.ts';
import styles from './shared-conversation.module.css';

export const texts = [sharedTexts, readingTexts];

/** The screen of /shared: a conversation that its owner shares through a link, whose token is the fragment of the address. */
export default function SharedScreen({ services, controls }: ScreenProps) {
  const t = useTranslate(services.i18n, sharedTexts);
  const token = useLocation().hash.slice(1);
  return (
    <PartServices value={services}>
      {token ? (
        <Conversation key={token} token={token} services={services} controls={controls} />
      ) : (
        <Page title={t('title')} controls={controls}>
          <Gone services={services} />
        </Page>
      )}
    </PartServices>
  );
}

interface ConversationProps {
  token: string;
  services: HostServices;
  controls: ReactNode;
}

function Conversation({ token, services, controls }: ConversationProps) {
  const { http, i18n, toasts } = services;
  const t = useTranslate(i18n, sharedTexts);
  const [queries] = useState(createQueryClient);
  useEffect(() => {
    queries.mount();
    return () => queries.unmount();
  }, [queries]);
  const { data, error, isPending, isFetchingNextPage, hasNextPage, fetchNextPage, refetch } =
    useInfiniteQuery(pagesOf(http, token), queries);
  const isSlow = useDelayed(isPending);
  // Once the link is revoked nothing of it stays visible.
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

  const title = shown?.pages[0]?.title || t('title');
  return (
    <Page title={title} controls={controls}>
      {isGone && <Gone services={services} />}
      {!shown && error && !isGone && (
        <Problem
          title={t('failed')}
          message={error.message}
          retryLabel={t('retry')}
          onRetry={() => void refetch()}
        />
      )}
      {isPending && isSlow && <Skeleton label={t('loading')} lines={['half', 'full', 'most']} />}
      {shown && (
        <>
          <p className={styles.about}>
            {t('about', { date: dateOf(shown.pages[0]?.updatedAt, i18n.locale()) })}
          </p>
          <ReadRecords
            i18n={i18n}
            records={shown.pages.flatMap(({ records }) => records)}
            onDownload={(file) => void download(file)}
          />
          {hasNextPage && (
            <Button
              look={styles.more}
              label={t(isFetchingNextPage ? 'loading' : 'more')}
              aria-disabled={isFetchingNextPage}
              onClick={() => isFetchingNextPage || void fetchNextPage()}
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
    // Read again whenever the page comes back to the front: it may have been revoked.
    staleTime: 0,
  });
}

function dateOf(iso: string | undefined, locale: string): string {
  return iso ? new Intl.DateTimeFormat(locale, { dateStyle: 'long' }).format(new Date(iso)) : '';
}

interface PageProps {
  title: string;
  controls: ReactNode;
  children: ReactNode;
}

function Page({ title, controls, children }: PageProps) {
  return (
    <main className={`page ${styles.page}`} id="main" tabIndex={-1}>
      <header className="head">
        <h1 className="clip" dir="auto">
          {title}
        </h1>
        <span className="space" />
        <div className="cluster">{controls}</div>
      </header>
      <div className={`body ${styles.body}`}>
        <div className={styles.content}>{children}</div>
      </div>
    </main>
  );
}

function Gone({ services }: { services: HostServices }) {
  const t = useTranslate(services.i18n, sharedTexts);
  return (
    <div className="failed" role="alert">
      <h2>{t('gone')}</h2>
      <p>{t('goneHint')}</p>
      <div className="row">
        <Link className="button" to="/index">
          <Icon name="chat" isSmall />
          {t('toDesk')}
        </Link>
      </div>
    </div>
  );
}
