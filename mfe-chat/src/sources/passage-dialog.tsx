import type { Citation, Passage } from 'api/contract/answers';
import { Dialog } from 'host/ui/dialog.tsx';
import { PassageText } from 'host/ui/passage-text.tsx';
import { useChat } from '../shared/chat-context.ts';

interface PassageDialogProps {
  passage: Passage;
  citation: Citation;
  onClose(): void;
}

/** The passage of the document with the quote highlighted. */
export function PassageDialog({ passage, citation, onClose }: PassageDialogProps) {
  const { t } = useChat();
  return (
    <Dialog title={passage.title} closeLabel={t('close')} isReading onClose={onClose}>
      <PassageText passage={passage} quote={citation} />
    </Dialog>
  );
}
