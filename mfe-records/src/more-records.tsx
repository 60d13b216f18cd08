import type { HttpFailure, Translate } from 'host/contract';
import { useEffect, useRef } from 'react';
import styles from './history.module.css';
import type { RecordWords } from './words.ts';

interface MoreRecordsProps {
  isLoading: boolean;
  failure: HttpFailure | null;
  t: Translate<RecordWords>;
  onMore(): void;
}

/** The end of what has been read. Coming into view reads on; so does the button, which is also the way to try again. */
export function MoreRecords({ isLoading, failure, t, onMore }: MoreRecordsProps) {
  const end = useRef<HTMLDivElement>(null);
  const latest = useRef(onMore);
  latest.current = onMore;
  const canGoOn = !isLoading && !failure;

  useEffect(() => {
    if (!canGoOn || !end.current || typeof IntersectionObserver === 'undefined') return;
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting) latest.current();
    });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [canGoOn]);

  return (
    <div className={styles.more} ref={end}>
      {failure && <p role="alert">{failure.message}</p>}
      <button className="button" type="button" aria-disabled={isLoading || undefined} onClick={onMore}>
        {t(isLoading ? 'history.loadingMore' : failure ? 'retry' : 'history.more')}
      </button>
    </div>
  );
}
