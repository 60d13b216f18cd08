import { Button } from 'host/ui/button.tsx';
import { useTexts } from 'host/ui/screen.tsx';
import { recordTexts } from './texts.ts';
import type { ShownList } from './use-paged-list.ts';

interface MoreButtonProps {
  list: Pick<ShownList, 'isLoading' | 'failure' | 'more'>;
  label: string;
  look?: string | undefined;
}

/** Reads the next page of a list, or tries again after a failure. */
export function MoreButton({ list: { isLoading, failure, more }, label, look }: MoreButtonProps) {
  const t = useTexts(recordTexts);
  return (
    <Button
      look={look}
      label={isLoading ? t('history.loadingMore') : failure ? t('retry') : label}
      aria-disabled={isLoading}
      onClick={more}
    />
  );
}
