import { Dialog } from './dialog.tsx';
import { Skeleton } from './skeleton.tsx';
import { useDelayed } from './use-delayed.ts';

/** Shown instead of a dialog that has been loading for more than 300 ms. Closing it cancels opening. */
export function DialogLoading({ label, onClose }: { label: string; onClose(): void }) {
  if (!useDelayed(true)) return null;
  return (
    <Dialog title={label} onClose={onClose}>
      <Skeleton label={label} lines={['most', 'half', 'most']} />
    </Dialog>
  );
}
