import { Button } from 'host/ui/button.tsx';
import { Fault } from 'host/ui/fault.tsx';
import { useTexts } from 'host/ui/screen.tsx';
import { recordTexts } from './texts.ts';
import type { ShownList } from './use-paged-list.ts';

interface ListMoreProps {
  list: Pick<ShownList, 'isLoading' | 'failure' | 'hasMore' | 'more'>;
  label: string;
  look?: string | undefined;
}

/** Below the items of a list: a button that reads the next page, or tries again after a failure. */
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
          aria-disabled={isLoading}
          onClick={more}
        />
      )}
    </div>
  );
}
