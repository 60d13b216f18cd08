import type { Citation, Passage } from 'api/contract/answers';
import type { Http, HttpFailure, Translate } from 'host/contract';
import { Icon } from 'host/ui/icon.tsx';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import styles from './passage-dialog.module.css';
import type { RecordWords } from './words.ts';

interface PassageDialogProps {
  citation: Citation;
  t: Translate<RecordWords>;
  http: Http;
  onClose(): void;
}

type Load = { is: 'loading' } | { is: 'failed'; message: string } | { is: 'ready'; passage: Passage };

/** The passage that a source quotes, with the quote highlighted. */
export function PassageDialog({ citation, t, http, onClose }: PassageDialogProps) {
  const titleId = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const [load, setLoad] = useState<Load>({ is: 'loading' });

  useEffect(() => {
    const opened = dialog.current;
    opened?.showModal();
    return () => opened?.close();
  }, []);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    http.get<Passage>(citation.href, { signal }).then(
      ({ data }) => !signal.aborted && setLoad({ is: 'ready', passage: data }),
      (error: HttpFailure) => !signal.aborted && setLoad({ is: 'failed', message: error.message }),
    );
    return () => controller.abort();
  }, [http, citation]);

  return (
    <dialog className="dialog" ref={dialog} aria-labelledby={titleId} onClose={onClose}>
      <section className="dialog-sheet">
        <header className="dialog-head">
          <h2 id={titleId} dir="auto">
            {citation.title}
          </h2>
          <button
            className="icon-button"
            type="button"
            aria-label={t('close')}
            onClick={() => dialog.current?.close()}
          >
            <Icon name="close" />
          </button>
        </header>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: allows scrolling by keyboard */}
        <section className="dialog-body" tabIndex={0} aria-labelledby={titleId}>
          {load.is === 'loading' && (
            <p className={styles.late} role="status">
              {t('passage.loading')}
            </p>
          )}
          {load.is === 'failed' && (
            <p className="field-note error" role="alert">
              <Icon name="alert" />
              {t('passage.failed')} {load.message}
            </p>
          )}
          {load.is === 'ready' && (
            <>
              {load.passage.place && <p className="quiet">{load.passage.place}</p>}
              {load.passage.columns && (
                <p className="quiet" dir="auto">
                  {load.passage.columns}
                </p>
              )}
              <p className={styles.passageText} dir="auto">
                {marked(load.passage, citation)}
              </p>
            </>
          )}
        </section>
      </section>
    </dialog>
  );
}

/** Finds the quote by its position in the document, or by its text if the document was replaced since. */
function marked(passage: Passage, { quote, start }: Citation): ReactNode {
  const placed = start - passage.start;
  const at = passage.text.startsWith(quote, placed) && placed >= 0 ? placed : passage.text.indexOf(quote);
  if (at < 0 || !quote) return passage.text;
  return (
    <>
      {passage.text.slice(0, at)}
      <mark>{quote}</mark>
      {passage.text.slice(at + quote.length)}
    </>
  );
}
