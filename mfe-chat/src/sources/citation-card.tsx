import type { Citation, Passage } from 'api/contract/answers';
import { Icon } from 'host/ui/icon.tsx';
import { PassageDialog } from 'host/ui/passage-dialog.tsx';
import { Popover } from 'host/ui/popover.tsx';
import { QuotedText } from 'host/ui/quoted-text.tsx';
import { useEffect, useState } from 'react';
import { useChat } from '../shared/chat-context.ts';
import { asFailure } from '../shared/http-failure.ts';
import styles from './citation-card.module.css';

interface CitationCardProps {
  n: number;
  citation: Citation;
  anchor: HTMLElement;
  onClose(): void;
}

/** A citation: title, quote, position, and a link to the original. */
export function CitationCard({ n, citation, anchor, onClose }: CitationCardProps) {
  const { t } = useChat();
  const { passage, message } = usePassage(citation.href);
  const [isOriginalOpen, setIsOriginalOpen] = useState(false);
  const label = t('citationOf', { n, title: citation.title });
  return (
    <>
      <Popover
        anchor={anchor}
        role="dialog"
        label={label}
        className={`popover ${styles.card}`}
        skidding={-16}
        closesOnScroll
        onClose={onClose}
      >
        <header>
          <span className={styles.number}>{n}</span>
          <b className="clip">{citation.title}</b>
          <button
            className="icon-button small"
            type="button"
            aria-label={t('closeCitation')}
            data-focus-first
            onClick={onClose}
          >
            <Icon name="close" />
          </button>
        </header>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: allows scrolling by keyboard */}
        <blockquote className="quoted" tabIndex={0} dir="auto">
          <QuotedText text={citation.quote} />
        </blockquote>
        <footer>
          <span>{message || passage?.place}</span>
          {!message && (
            <button type="button" disabled={!passage} onClick={() => setIsOriginalOpen(true)}>
              {t('openOriginal')}
              <Icon name="open" isSmall />
            </button>
          )}
        </footer>
      </Popover>
      {isOriginalOpen && passage && (
        <PassageDialog
          title={passage.title}
          closeLabel={t('close')}
          passage={passage}
          quote={citation}
          onClose={() => setIsOriginalOpen(false)}
        />
      )}
    </>
  );
}

function usePassage(href: string): { passage: Passage | null; message: string } {
  const { services, t } = useChat();
  const [state, setState] = useState<{ passage: Passage | null; message: string }>({
    passage: null,
    message: '',
  });
  useEffect(() => {
    const unmounted = new AbortController();
    services.http.get<Passage>(href, { signal: unmounted.signal }).then(
      ({ data }) => unmounted.signal.aborted || setState({ passage: data, message: '' }),
      (reason) => {
        if (unmounted.signal.aborted) return;
        const { status, message } = asFailure(reason);
        setState({ passage: null, message: status === 404 ? t('originalGone') : message });
      },
    );
    return () => unmounted.abort();
  }, [services, href, t]);
  return state;
}
