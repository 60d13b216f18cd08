import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { Conversation } from 'api/contract/records';
import type { FoundRecord, Highlight, SearchPage } from 'api/contract/search';
import { formatDay } from 'host/ui/format-date.ts';
import { readUntilFound } from 'host/ui/queries.ts';
import { useDelayed } from 'host/ui/use-delayed.ts';
import { useStream } from 'host/ui/use-stream.ts';
import type { KeyboardEvent } from 'react';
import { Link } from 'react-router-dom';
import { RowsSkeleton } from '../conversation/rows-skeleton.tsx';
import { useChat } from '../state/chat-context.ts';
import { dayOf } from './group-by-day.ts';
import { DayGroup, moveFocus, NoList, PagedList, RowDetails } from './paged-list.tsx';
import styles from './search-results.module.css';

/** Search results grouped by day, shown in place of the conversations. */
export function SearchResults({ onChosen }: { onChosen(): void }) {
  const { t } = useChat();
  const found = useFound();
  const { data, error, refetch } = found;
  return (
    <div className={styles.results}>
      <Status found={found} />
      {!data && error && (
        <NoList title={t('searchFailed')} text={error.message} onRetry={() => void refetch()} />
      )}
      {data?.length === 0 && found.titled.length === 0 && (
        <NoList title={t('nothingFound')} text={t('nothingFoundHint')} />
      )}
      {data && (data.length > 0 || found.titled.length > 0) && (
        <Found found={found} records={data} onChosen={onChosen} />
      )}
    </div>
  );
}

/** The matching records, newest first; the previous ones stay until they are loaded. */
function useFound() {
  const { services, chat } = useChat();
  const { query: text } = useStream(chat.search.state$);
  const query = useInfiniteQuery(
    {
      queryKey: ['search', text],
      async queryFn({ pageParam, signal }) {
        return readUntilFound(pageParam, async (cursor) => {
          const body = { text, ...(cursor !== null && { cursor }) };
          return (await services.http.post<SearchPage>('/api/search', body, { signal })).data;
        });
      },
      initialPageParam: null as string | null,
      getNextPageParam: ({ nextCursor }) => nextCursor,
      enabled: Boolean(text),
      placeholderData: keepPreviousData,
    },
    chat.queries,
  );
  const last = query.data?.pages.at(-1);
  const all = query.data?.pages.flatMap(({ records }) => records);
  const data = all && [...new Map(all.map((record) => [record.id, record])).values()];
  const read = data?.length ?? 0;
  const total = last?.total ?? 0;
  return {
    ...query,
    data,
    titled: query.data?.pages[0]?.conversations ?? [],
    total: Math.max(total, read),
    totalIsMore: last?.totalIsMore === true && (query.hasNextPage || total > read),
    loadMore() {
      if (query.hasNextPage) void query.fetchNextPage({ cancelRefetch: false });
    },
  };
}

function Status({ found }: { found: ReturnType<typeof useFound> }) {
  const { data, isPending, total, totalIsMore, titled } = found;
  const { t, services } = useChat();
  const isSlow = useDelayed(isPending);
  const count = total.toLocaleString(services.i18n.locale());
  return (
    <>
      <p className={styles.count} role="status">
        {isPending && isSlow && t('searching')}
        {data && total > 0 && t(totalIsMore ? 'foundMore' : 'found', { count })}
        {data && total === 0 && titled.length > 0 && t('found', { count: String(titled.length) })}
        {data && total === 0 && titled.length === 0 && <span className="sr">{t('nothingFound')}</span>}
      </p>
      {isPending && isSlow && <RowsSkeleton />}
    </>
  );
}

interface FoundProps {
  found: ReturnType<typeof useFound>;
  records: readonly FoundRecord[];
  onChosen(): void;
}

function Found({ found, records, onChosen }: FoundProps) {
  const { titled } = found;
  const { t, chat, services } = useChat();
  const handleKey = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== 'Escape') return moveFocus(event);
    event.preventDefault();
    const field = event.currentTarget.closest('aside')?.querySelector<HTMLElement>('input[type=search]');
    chat.search.clear();
    field?.focus();
  };
  return (
    <PagedList className={styles.list} label={t('searchResults')} list={found} onKeyDown={handleKey}>
      {titled.length > 0 && (
        <DayGroup title={t('byTitle')}>
          {titled.map((conversation) => (
            <Titled key={conversation.id} conversation={conversation} onChosen={onChosen} />
          ))}
        </DayGroup>
      )}
      {[...Map.groupBy(records, ({ createdAt }) => new Date(createdAt).toDateString())].map(
        ([day, ofDay]) => (
          <DayGroup key={day} title={dayName(ofDay[0]!.createdAt)}>
            {ofDay.map((record) => (
              <Result key={record.id} record={record} onChosen={onChosen} />
            ))}
          </DayGroup>
        ),
      )}
    </PagedList>
  );

  function dayName(iso: string): string {
    const now = new Date();
    const day = dayOf(iso, now);
    return day === 'earlier' ? formatDay(iso, services.i18n.locale(), now) : t(day);
  }
}

/** A conversation whose title matches. */
function Titled({ conversation, onChosen }: { conversation: Conversation; onChosen(): void }) {
  const { t } = useChat();
  const { id, title, contact, updatedAt } = conversation;
  return (
    <li className={styles.result}>
      <Link to={{ search: `?c=${id}` }} onClick={onChosen}>
        <b dir="auto">{title}</b>
        <RowDetails contact={contact} nobody={t('myself')} time={updatedAt} />
      </Link>
    </li>
  );
}

function Result({ record, onChosen }: { record: FoundRecord; onChosen(): void }) {
  const { id, conversationId, question, answer, highlights, contact, createdAt } = record;
  const hits = (field: 'question' | 'answer') => highlights.filter((one) => one.field === field);
  return (
    <li className={styles.result}>
      <Link to={{ search: `?c=${conversationId}&r=${id}` }} onClick={onChosen}>
        <b dir="auto">
          <Parts parts={excerpt(question, hits('question'), { lead: 12, length: 80 })} />
        </b>
        {answer && (
          <span className="type-small ink-2" dir="auto">
            <Parts parts={excerpt(answer, hits('answer'), { lead: 16, length: 120 })} />
          </span>
        )}
        <RowDetails contact={contact} time={createdAt} />
      </Link>
    </li>
  );
}

function Parts({ parts }: { parts: readonly ExcerptPart[] }) {
  return parts.map(({ text, isHit }, at) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text never move
    isHit ? <mark key={at}>{text}</mark> : <span key={at}>{text}</span>,
  );
}

interface ExcerptPart {
  text: string;
  isHit: boolean;
}

interface Options {
  /** Maximum number of UTF-16 units before the first match, and in total. */
  lead: number;
  length: number;
}

/**
 * An excerpt of `text` around its first match, in parts, or from the beginning if nothing matches. `hits` are in order and do not overlap.
 * Outside of matches Markdown syntax is removed and white space is collapsed.
 */
export function excerpt(
  text: string,
  hits: readonly Pick<Highlight, 'start' | 'end'>[],
  { lead, length }: Options,
): ExcerptPart[] {
  const first = hits[0]?.start ?? 0;
  const from = first <= lead + 8 ? 0 : characterStart(text, first - lead);
  const to = characterStart(text, Math.min(text.length, from + length));
  const parts: ExcerptPart[] = [];
  let at = from;
  const plainTo = (end: number) => {
    const plain = withoutMarkdown(text.slice(at, end));
    if (plain) parts.push({ text: plain, isHit: false });
  };
  for (const hit of hits) {
    const [start, end] = [Math.max(hit.start, at), Math.min(hit.end, to)];
    if (start >= end) continue;
    plainTo(start);
    parts.push({ text: text.slice(start, end), isHit: true });
    at = end;
  }
  plainTo(to);
  if (from > 0) parts.unshift({ text: '…', isHit: false });
  if (to < text.length) parts.push({ text: '…', isHit: false });
  return parts;
}

/** Moves a position out of the middle of a surrogate pair. */
function characterStart(text: string, at: number): number {
  return /[\udc00-\udfff]/.test(text[at] ?? '') && /[\ud800-\udbff]/.test(text[at - 1] ?? '') ? at - 1 : at;
}

function withoutMarkdown(markdown: string): string {
  return markdown.replaceAll(/\[\d+\]|[*_`#>|]+|-{3,}/g, '').replaceAll(/\s+/g, ' ');
}
