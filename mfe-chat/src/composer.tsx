import { type ChangeEvent, type RefObject, useEffect, useState } from 'react';
import { useChat } from './chat-context.ts';
import styles from './composer.module.css';
import { MAX_QUESTION } from './consultation.ts';
import { Icon } from './icon.tsx';
import { useEnterKey } from './use-enter-key.ts';
import { useValue } from './use-value.ts';

/** Two rows for the question. What stands there is a draft of its conversation and survives everything but being sent. */
export function Composer({ fieldRef }: { fieldRef: RefObject<HTMLTextAreaElement | null> }) {
  const { desk, t, services } = useChat();
  const { consultation, drafts, ownerChanged$ } = desk;
  const { conversationId, runningKey } = useValue(consultation.state$);
  const [text, setText] = useState(() => drafts.read(conversationId));

  // biome-ignore lint/correctness/useExhaustiveDependencies: another conversation has another draft
  useEffect(() => {
    const read = () => setText(drafts.read(consultation.state$.value.conversationId));
    read();
    const readings = [drafts.changed$.subscribe(read), ownerChanged$.subscribe(read)];
    return () => {
      for (const reading of readings) reading.unsubscribe();
    };
  }, [drafts, consultation, ownerChanged$, conversationId]);

  const change = (next: string) => {
    setText(next);
    drafts.write(conversationId, next);
  };
  const send = () => {
    if (consultation.send(text)) change('');
  };
  const enter = useEnterKey(send);
  const length = text.trim().length;
  const isTooLong = length > MAX_QUESTION;

  return (
    <form
      className={styles.composer}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <div className={styles.box} data-invalid={isTooLong || undefined}>
        <textarea
          ref={fieldRef}
          rows={2}
          placeholder={t('placeholder')}
          aria-label={t('question')}
          aria-invalid={isTooLong}
          aria-describedby="composer-tip"
          enterKeyHint="send"
          value={text}
          onChange={(event: ChangeEvent<HTMLTextAreaElement>) => change(event.currentTarget.value)}
          {...enter}
        />
        <div className={styles.bar}>
          <Tip isTooLong={isTooLong} count={length.toLocaleString(services.i18n.locale())} />
          {runningKey && (
            <button
              className={`button ${styles.stop}`}
              type="button"
              aria-label={t('stop')}
              onClick={() => void consultation.stop()}
            >
              <Icon name="stop" small />
              <span>{t('stop')}</span>
            </button>
          )}
          <button className="button primary" type="submit" aria-disabled={runningKey !== null || isTooLong}>
            {t('send')}
          </button>
        </div>
      </div>
    </form>
  );
}

function Tip({ isTooLong, count }: { isTooLong: boolean; count: string }) {
  const { t } = useChat();
  return (
    <span
      id="composer-tip"
      className={`${styles.tip} ${isTooLong ? styles.error : ''}`}
      role={isTooLong ? 'alert' : undefined}
    >
      {isTooLong ? t('tooLong', { count }) : <span className={styles.keys}>{t('keys')}</span>}
    </span>
  );
}
