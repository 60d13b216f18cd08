import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { filesPart } from '../files/files-part-module.ts';
import { useFrame } from '../shared/frame-context.ts';
import { Icon } from '../shared/icon.tsx';
import { AttachButton } from './attach-button.tsx';
import styles from './composer.module.css';
import { MAX_QUESTION } from './max-question.ts';
import { useAttached } from './use-attached.ts';
import { useEnterKey } from './use-enter-key.ts';

interface ComposerProps {
  fieldRef: RefObject<HTMLTextAreaElement | null>;
  conversationId: string | null;
  /** An answer is running: sending waits, and stopping is offered. */
  isRunning: boolean;
  /** What is to be asked now has to wait for the desk. */
  isStarting: boolean;
  /** Stands behind the paper clip. */
  choices: ReactNode;
  stop(): void;
}

/** Two rows for the question. What stands there is a draft of its conversation and survives everything but being sent. */
export function Composer({ fieldRef, conversationId, isRunning, isStarting, choices, stop }: ComposerProps) {
  const { t, services, attachments, ask } = useFrame();
  const [text, setText] = useDraft(conversationId);
  const { slot, files, problem } = useAttached(conversationId);
  const isWanted = useRef(false);
  const formRef = useRef<HTMLFormElement>(null);
  const change = (next: string) => {
    isWanted.current = false;
    setText(next);
  };
  const isRefused = files.some((one) => one.problem !== null);
  const send = () => {
    if (isRefused) {
      formRef.current?.querySelector<HTMLElement>('li[data-invalid] button')?.focus();
      return;
    }
    if (ask(text, files)) {
      change('');
      attachments.clear(slot);
    } else isWanted.current = isStarting;
  };
  // Sent before the desk was there: asked as soon as it can be.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the end of the start matters
  useEffect(() => {
    if (isWanted.current && !isStarting) send();
  }, [isStarting]);
  useAutofocus(fieldRef);
  const enter = useEnterKey(send);
  const length = text.trim().length;
  const { updates } = services;
  const hasDraft = length > 0;
  useEffect(() => (hasDraft ? updates.hold() : undefined), [updates, hasDraft]);
  const isTooLong = length > MAX_QUESTION;

  return (
    <form
      ref={formRef}
      className={styles.composer}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {(files.length > 0 || problem) && <Tray slot={slot} fieldRef={fieldRef} />}
      <div className={styles.box} data-invalid={isTooLong || undefined}>
        <textarea
          ref={fieldRef}
          rows={2}
          dir="auto"
          placeholder={t('placeholder')}
          aria-label={t('question')}
          aria-invalid={isTooLong}
          aria-describedby="composer-tip"
          enterKeyHint="send"
          value={text}
          onChange={(event) => change(event.currentTarget.value)}
          {...enter}
        />
        <div className={styles.bar}>
          <AttachButton slot={slot} />
          {choices}
          <span
            id="composer-tip"
            className={`${styles.tip} ${isTooLong ? styles.error : ''}`}
            role={isTooLong ? 'alert' : undefined}
          >
            {isTooLong
              ? t('tooLong', { count: length.toLocaleString(services.i18n.locale()) })
              : !isRunning && <span className={styles.keys}>{t('keys')}</span>}
          </span>
          {isRunning && (
            <button className={`button ${styles.stop}`} type="button" aria-label={t('stop')} onClick={stop}>
              <Icon name="stop" small />
              <span>{t('stop')}</span>
            </button>
          )}
          <button
            className="button primary"
            type="submit"
            aria-disabled={isRunning || isTooLong || isRefused}
          >
            {t('send')}
          </button>
        </div>
      </div>
    </form>
  );
}

/** With a keyboard, the screen begins in the field. On a touch screen that would open the keyboard over half of it. */
function useAutofocus(field: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (window.matchMedia?.('(hover: hover) and (pointer: fine)').matches)
      field.current?.focus({ preventScroll: true });
  }, [field]);
}

/** What is attached, above the words. */
function Tray(props: { slot: string; fieldRef: RefObject<HTMLTextAreaElement | null> }) {
  const part = filesPart.useModule();
  return part ? <part.FileTray {...props} /> : null;
}

/** The draft of a conversation, read anew when another one is shown, somebody else has come, or words were given back. */
function useDraft(conversationId: string | null): [text: string, change: (text: string) => void] {
  const { drafts, services } = useFrame();
  const [text, setText] = useState(() => drafts.read(conversationId));
  useEffect(() => {
    const read = () => setText(drafts.read(conversationId));
    read();
    const readings = [drafts.changed$.subscribe(read), services.storage.owner$.subscribe(read)];
    return () => {
      for (const reading of readings) reading.unsubscribe();
    };
  }, [drafts, services, conversationId]);
  const change = (next: string) => {
    setText(next);
    drafts.write(conversationId, next);
  };
  return [text, change];
}
