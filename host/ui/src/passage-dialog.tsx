import type { ComponentProps, ReactNode } from 'react';
import { Dialog } from './dialog.tsx';
import { PassageText } from './passage-text.tsx';

interface PassageDialogProps {
  title: string;
  closeLabel: string;
  quote: ComponentProps<typeof PassageText>['quote'];
  /** Undefined until it is loaded. */
  passage: ComponentProps<typeof PassageText>['passage'] | undefined;
  /** Shown until then: that it is loading, or why it cannot be shown. */
  children?: ReactNode;
  onClose(): void;
}

/** A passage of a document with the quote highlighted. */
export function PassageDialog({ title, closeLabel, quote, passage, children, onClose }: PassageDialogProps) {
  return (
    <Dialog title={title} closeLabel={closeLabel} isReading onClose={onClose}>
      {passage ? <PassageText passage={passage} quote={quote} /> : children}
    </Dialog>
  );
}
