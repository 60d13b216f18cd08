import type { Citation, Passage } from 'api/contract/answers';
import { Icon } from 'host/ui/icon.tsx';
import { useEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { useChat } from '../shared/chat-context.ts';
import { useModal } from '../shared/use-modal.ts';
import styles from './citation-card.module.css';
import { findQuote } from './find-quote.ts';
import { QuotedText } from './quoted-text.tsx';

interface PassageDialogProps {
  passage: Passage;
  citation: Citation;
  onClose(): void;
}

/** The passage of the document with the quote highlighted. */
export function PassageDialog({ passage, citation, onClose }: PassageDialogProps) {
  const { t, layer } = useChat();
  const dialog = useModal(onClose);
  const quote = useRef<HTMLElement>(null);
  useEffect(() => {
    quote.current?.scrollIntoView?.({ block: 'center' });
  }, []);
  if (!layer) return null;
  const [start, end] = findQuote(passage, citation);
  return createPortal(
    <dialog ref={dialog} className="dialog" aria-label={passage.title}>
      <div className="dialog-sheet">
        <header className="dialog-head">
          <h2 className="clip">{passage.title}</h2>
          <button className="icon-button" type="button" aria-label={t('close')} onClick={onClose}>
            <Icon name="close" />
          </button>
        </header>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: allows scrolling by keyboard */}
        <div className="dialog-body" tabIndex={0} role="document" aria-label={passage.title}>
          {passage.place && <p className={styles.place}>{passage.place}</p>}
          {passage.columns && (
            <p className={styles.place} dir="auto">
              {passage.columns}
            </p>
          )}
          <p className={styles.passage} dir="auto">
            <QuotedText text={passage.text.slice(0, start)} />
            {end > start && (
              <mark ref={quote}>
                <QuotedText text={passage.text.slice(start, end)} />
              </mark>
            )}
            <QuotedText text={passage.text.slice(end)} />
          </p>
        </div>
      </div>
    </dialog>,
    layer,
  );
}
