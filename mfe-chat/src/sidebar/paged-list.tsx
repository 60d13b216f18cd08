import { Button } from 'host/ui/button.tsx';
import { type KeyboardEvent, type ReactNode, useId } from 'react';
import { useChat } from '../state/chat-context.ts';
import styles from './side-panel.module.css';

interface PagedListProps {
  className: string | undefined;
  label: string;
  hasMore: boolean;
  isLoadingMore: boolean;
  loadMore(): void;
  onKeyDown(event: KeyboardEvent<HTMLElement>): void;
  children: ReactNode;
}

/** A scrolling list that loads the next page when its end is near, or by a button. */
export function PagedList(props: PagedListProps) {
  const { className, label, hasMore, isLoadingMore, loadMore, onKeyDown, children } = props;
  const { t } = useChat();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields; this group names a scrolling area
    <div
      className={className}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: allows scrolling by keyboard
      tabIndex={0}
      role="group"
      aria-label={label}
      onKeyDown={onKeyDown}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        if (hasMore && scrollHeight - scrollTop - clientHeight < 200) loadMore();
      }}
    >
      {children}
      {hasMore && (
        <Button
          look={`small bare ${styles.more}`}
          label={t(isLoadingMore ? 'loading' : 'showMore')}
          aria-disabled={isLoadingMore}
          onClick={loadMore}
        />
      )}
    </div>
  );
}

/** The entries of one day, with a heading that labels their list. */
export function DayGroup({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <>
      <h3 id={id}>{title}</h3>
      <ul aria-labelledby={id}>{children}</ul>
    </>
  );
}
