import { Button } from 'host/ui/button.tsx';
import { Fault } from 'host/ui/fault.tsx';
import { useTexts } from 'host/ui/screen.tsx';
import { Skeleton } from 'host/ui/skeleton.tsx';
import type { ComponentProps, ReactNode } from 'react';
import { LoadProblem } from './load-problem.tsx';
import { recordTexts } from './texts.ts';
import type { ShownList } from './use-paged-list.ts';

interface ListMoreProps {
  list: Pick<ShownList, 'isLoading' | 'failure' | 'hasMore' | 'more'>;
  label: string;
  look?: string | undefined;
}

/** Shown below a list: a button that loads the next page, or tries again after a failure. */
export function ListMore({ list: { isLoading, failure, hasMore, more }, label, look }: ListMoreProps) {
  const t = useTexts(recordTexts);
  if (!hasMore && !failure) return null;
  return (
    <div className="column middle gap-6px pad-s4">
      {failure && <Fault>{failure.message}</Fault>}
      {hasMore && (
        <Button
          look={look}
          label={isLoading ? t('history.loadingMore') : failure ? t('retry') : label}
          isOff={isLoading}
          onClick={more}
        />
      )}
    </div>
  );
}

interface ListRestProps extends ComponentProps<typeof Skeleton>, Pick<ListMoreProps, 'look'> {
  list: ListMoreProps['list'] & Pick<ShownList, 'items' | 'hasBegun'>;
  /** Title of the problem if nothing could be loaded. */
  title: string;
  /** Label of the button that loads more; without it only the first items are shown. */
  more?: string | undefined;
  /** Shown if there are no items. */
  children?: ReactNode;
}

/** The end of a list, or what is shown instead of its items. `label` and `lines` are those of the placeholder. */
export function ListRest({ list, title, more, look, children, ...skeleton }: ListRestProps) {
  if (list.items.length > 0) return more && <ListMore list={list} label={more} look={look} />;
  if (list.failure) return <LoadProblem failure={list.failure} title={title} onRetry={list.more} />;
  return list.hasBegun ? children : <Skeleton {...skeleton} />;
}
