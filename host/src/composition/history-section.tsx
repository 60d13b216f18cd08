import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import type { MoveInfo, PointerInfo } from 'api/contract/compositions';
import { Button } from 'host/ui/button.tsx';
import { Section } from 'host/ui/section.tsx';
import { Skeleton } from 'host/ui/skeleton.tsx';
import { useEffect, useMemo } from 'react';
import { isLiveMove, shortId } from './change.ts';
import { byText, changeText } from './change-list.tsx';
import styles from './composition.module.css';
import type { CompositionTranslate } from './composition-texts.ts';
import type { OpsCalls } from './ops-calls.ts';
import { PartProblem } from './problems.tsx';
import { useScreen } from './screen-context.ts';

/** The changes of the pointer, page by page; loaded again with every `revision`. */
export function useHistory({ history }: OpsCalls, revision: number | undefined) {
  const client = useQueryClient();
  const query = useInfiniteQuery({ ...history, enabled: revision !== undefined });
  useEffect(() => {
    if (revision !== undefined) void client.invalidateQueries({ queryKey: history.queryKey });
  }, [client, history, revision]);
  const { data, isFetchingNextPage, fetchNextPage } = query;
  /** Newest first; undefined until the first page is loaded. */
  const moves = useMemo(() => {
    const all = data?.pages.flatMap((page) => page.moves);
    return all && [...new Map(all.map((move) => [move.revision, move])).values()];
  }, [data]);
  return {
    ...query,
    moves,
    failure: isFetchingNextPage ? null : query.error,
    more: () => void (isFetchingNextPage || fetchNextPage()),
  };
}

interface HistorySectionProps {
  pointer: PointerInfo;
  history: ReturnType<typeof useHistory>;
}

/** All changes of the pointer, newest first, with a button to roll back to each. */
export function HistorySection({ pointer, history }: HistorySectionProps) {
  const { t } = useScreen();
  const { moves, failure, hasNextPage, isFetchingNextPage, more, refetch } = history;
  const live = moves?.find((move) => isLiveMove(move) && move.composition === pointer.composition.id);
  const canary = moves?.find((move) => move.canary === pointer.canary?.composition.id);
  return (
    <Section title={t('history')}>
      {!moves && !failure && (
        <Skeleton className={styles.waiting} label={t('loading')} lines={['half', 'most', 'half']} />
      )}
      {moves?.length === 0 && <p className="type-small quiet py-s2">{t('history.none')}</p>}
      <ol className={styles.timeline}>
        {moves?.map((move) => (
          <Move
            key={move.revision}
            move={move}
            pointer={pointer}
            isLive={move === live}
            isCanary={move === canary}
          />
        ))}
      </ol>
      <PartProblem title={t('history.failed')} query={{ error: failure, refetch: moves ? more : refetch }} />
      {hasNextPage && !failure && (
        <Button look="small" label={t('history.more')} aria-disabled={isFetchingNextPage} onClick={more} />
      )}
    </Section>
  );
}

interface MoveProps {
  move: MoveInfo;
  pointer: PointerInfo;
  /** The change that made the live composition live. */
  isLive: boolean;
  /** The change that started or last changed the running canary. */
  isCanary: boolean;
}

function Move({ move, pointer, isLive, isCanary }: MoveProps) {
  const { t, formats, change } = useScreen();
  const { kind, at, author, reason, from, changes } = move;
  const id = !isLiveMove(move) && move.canary ? move.canary : move.composition;
  const about = { id: shortId(id), time: formats.when(at) };
  const isAutomatic = author === 'canary';
  const tone = kind === 'halt' ? 'tag error' : isLive || isCanary ? 'tag accent' : 'tag';
  const canGoBack = isLiveMove(move) && move.composition !== pointer.composition.id;
  return (
    <li aria-current={isLive || undefined} data-canary={isCanary || undefined}>
      <p className={styles.moveHead}>
        <code>{about.id}</code>
        <span className={tone}>{isLive ? t('live') : kindText(move, t)}</span>
        {canGoBack && (
          <button
            className="link push type-small nowrap"
            type="button"
            aria-label={t('history.backTo', about)}
            onClick={() => change({ kind: 'rollback', to: move.composition })}
          >
            {t('history.back')}
          </button>
        )}
      </p>
      {from === null && (
        <p>{t('move.firstOf', { count: changes.filter(({ name }) => name !== 'host').length })}</p>
      )}
      {(from === null || !hasChanges(move) ? [] : changes).map((part) => (
        <p key={part.name}>{changeText(part, t)}</p>
      ))}
      {reason && kind !== 'start' && (
        <p className="breakable">{isAutomatic ? formats.reason(reason) : reason}</p>
      )}
      <small>
        {t('history.about', {
          time: about.time,
          author: isAutomatic ? t('author.halt') : byText(move, t),
        })}
      </small>
    </li>
  );
}

function kindText({ kind, from, share, promotedFrom }: MoveInfo, t: CompositionTranslate): string {
  if (promotedFrom) return t('move.promoted', { environment: promotedFrom.environment });
  return t(from === null ? 'move.first' : `move.${kind}`, { share: share ?? 0 });
}

function hasChanges(move: MoveInfo): boolean {
  return isLiveMove(move) || move.kind === 'canary' || move.kind === 'abort';
}
