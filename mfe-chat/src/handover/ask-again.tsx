import type { Handover } from 'api/contract/handover';
import { useState } from 'react';
import { useChat } from '../shared/chat-context.ts';
import { AskPersonDialog } from './ask-person-dialog.tsx';
import { useHandoverTexts } from './handover-texts.ts';
import styles from './handover-thread.module.css';
import { readReplyDraft, saveReplyDraft } from './reply-draft.ts';

/** The end of a closed thread: says that one can ask again, and shows a message that was not sent before it was closed. */
export function AskAgain({ handover: { id } }: { handover: Handover }) {
  const { services } = useChat();
  const t = useHandoverTexts();
  const [isOpen, setIsOpen] = useState(false);
  const unsent = readReplyDraft(services.storage, id).text.trim();
  if (!unsent) return <p className={styles.again}>{t('closedHint')}</p>;
  return (
    <div className={styles.again}>
      <p>{t('unsent')}</p>
      <blockquote dir="auto">{unsent}</blockquote>
      <button className="button small" type="button" onClick={() => setIsOpen(true)}>
        {t('askAgain')}
      </button>
      {isOpen && (
        <AskPersonDialog
          subject={{ question: unsent }}
          onAsked={() => saveReplyDraft(services.storage, id, '')}
          onClose={() => setIsOpen(false)}
        />
      )}
    </div>
  );
}
