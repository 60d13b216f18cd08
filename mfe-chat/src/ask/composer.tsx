import { Button } from 'host/ui/button.tsx';
import { deskAddress } from 'host/ui/desk-address.ts';
import { Icon } from 'host/ui/icon.tsx';
import { IconButton } from 'host/ui/icon-button.tsx';
import { useEnterKey } from 'host/ui/use-enter-key.ts';
import { useStored, useStreamOr } from 'host/ui/use-stream.ts';
import { type ReactNode, type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { merge } from 'rxjs';
import type { Attached } from '../state/attachments.ts';
import { useFrame } from '../state/chat-context.ts';
import { MAX_QUESTION } from '../state/drafts.ts';
import type { Recipient } from '../state/recipient.ts';
import styles from './composer.module.css';
import type { Tray } from './files/files-part-module.tsx';

interface ComposerProps {
  fieldRef: RefObject<HTMLTextAreaElement | null>;
  conversationId: string | null;
  /** Shows attached files; undefined until the rest of the screen is loaded. */
  tray: typeof Tray | undefined;
  /** Controls shown after the attach button. */
  choices: ReactNode;
  /** Shown above the field: who receives the text. */
  recipientSwitch: ReactNode;
}

/** In the HTML of the first state, the browser moves the focus; later `useAutofocus`. */
const isFirstState = typeof document === 'undefined';

/** The textarea and its buttons. Its text is stored as the draft of the conversation until it is sent. */
export function Composer({ fieldRef, conversationId, tray, choices, recipientSwitch }: ComposerProps) {
  const FileTray = tray;
  const { t, services, chat, ask } = useFrame();
  const { attachments, consultation, recipient } = chat ?? {};
  const state = useStreamOr(consultation?.state$, null);
  /** An answer is streaming: sending is disabled and a stop button is shown. */
  const isRunning = state?.runningKey != null;
  /** The rest of the screen is still loading: a question sent now waits for it. */
  const isStarting = !state || state.phase === 'loading';
  const [question, setQuestion] = useDraft(conversationId);
  const open = useStreamOr(recipient?.person$, null);
  const person = open?.isChosen ? open : null;
  const text = person ? person.draft.text : question;
  const { slot, files, problem } = useAttached(conversationId);
  const isSendPending = useRef(false);
  const formRef = useRef<HTMLFormElement>(null);
  const change = (next: string) => {
    isSendPending.current = false;
    if (person) recipient?.change(next);
    else setQuestion(next);
  };
  const hasInvalidFile = !person && files.some((one) => one.problem !== null);
  useFilesForDesk(slot, files.length, recipient);
  const send = () => {
    if (person) {
      if (!isTooLong) void recipient?.send();
      return;
    }
    // Reads the current value: files may have been attached since the last rendering.
    const attached = attachments?.read(slot).files ?? [];
    if (attached.some((one) => one.problem !== null)) {
      formRef.current?.querySelector<HTMLElement>('li[data-invalid] button')?.focus();
      return;
    }
    if (ask(text, attached)) {
      change('');
      attachments?.clear(slot);
    } else isSendPending.current = isStarting;
  };
  // Sends the question that was submitted while the screen was loading.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only when loading ends
  useEffect(() => {
    if (isSendPending.current && !isStarting) send();
  }, [isStarting]);
  useAutofocus(fieldRef);
  useEffect(() => {
    const subscription = recipient?.focus$.subscribe(() => fieldRef.current?.focus());
    return () => subscription?.unsubscribe();
  }, [recipient, fieldRef]);
  const enterHandlers = useEnterKey(send);
  const length = text.trim().length;
  const { updates } = services;
  const hasDraft = length > 0 || question.trim() !== '';
  useEffect(() => (hasDraft ? updates.hold() : undefined), [updates, hasDraft]);
  const isTooLong = length > MAX_QUESTION;
  const isBlocked = person ? person.isSending : isRunning || hasInvalidFile;
  const addressee = person?.name || t('person');

  return (
    <form
      ref={formRef}
      className={`no-print ${styles.composer}`}
      method="post"
      action={deskAddress('/chatbot/ask')}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {recipientSwitch}
      {FileTray && !person && (files.length > 0 || problem) && <FileTray slot={slot} fieldRef={fieldRef} />}
      <div
        className={styles.box}
        data-to={person ? 'person' : undefined}
        data-invalid={isTooLong || undefined}
      >
        <textarea
          ref={fieldRef}
          name="text"
          {...(isFirstState && { autoFocus: true })}
          rows={2}
          dir="auto"
          placeholder={person ? t('writeTo', { name: addressee }) : t('placeholder')}
          aria-label={person ? t('messageTo', { name: addressee }) : t('question')}
          readOnly={person?.isSending}
          aria-invalid={isTooLong}
          aria-describedby="composer-tip"
          enterKeyHint="send"
          value={text}
          onChange={(event) => change(event.currentTarget.value)}
          {...enterHandlers}
        />
        <div className={styles.bar}>
          {!person && <AttachButton slot={slot} />}
          {!person && choices}
          <span
            id="composer-tip"
            className={`${styles.tip} ${isTooLong ? styles.error : ''}`}
            role={isTooLong ? 'alert' : undefined}
          >
            {isTooLong
              ? t('tooLong', { count: length.toLocaleString(services.i18n.locale()) })
              : (person || !isRunning) && <span className={styles.keys}>{t('keys')}</span>}
          </span>
          {isRunning && (
            <button
              className={`button ${styles.stop}`}
              type="button"
              aria-label={t('stop')}
              onClick={() => void consultation?.stop()}
            >
              <Icon name="stop" isSmall />
              <span>{t('stop')}</span>
            </button>
          )}
          <Button look="primary" label={t('send')} type="submit" isOff={isBlocked || isTooLong} />
        </div>
      </div>
    </form>
  );
}

/** Files can only be sent to the desk: attaching one changes the recipient. */
function useFilesForDesk(slot: string, count: number, recipient: Recipient | undefined): void {
  const before = useRef({ slot, count });
  useEffect(() => {
    if (slot === before.current.slot && count > before.current.count) recipient?.choose('desk');
    before.current = { slot, count };
  }, [slot, count, recipient]);
}

/** Focuses the textarea on devices with a mouse. On a touch screen the keyboard would cover half of the screen. */
function useAutofocus(field: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (window.matchMedia?.('(hover: hover) and (pointer: fine)').matches)
      field.current?.focus({ preventScroll: true });
  }, [field]);
}

/** The draft of a conversation, read again when the conversation or the owner changes, or when text is returned to it. */
function useDraft(conversationId: string | null): [text: string, change: (text: string) => void] {
  const { drafts, services } = useFrame();
  const [text, setText] = useState(() => drafts.read(conversationId));
  useEffect(() => {
    const read = () => setText(drafts.read(conversationId));
    read();
    const subscription = merge(drafts.changed$, services.storage.owner$).subscribe(read);
    return () => subscription.unsubscribe();
  }, [drafts, services, conversationId]);
  const change = (next: string) => {
    setText(next);
    drafts.write(conversationId, next);
  };
  return [text, change];
}

const NONE: Attached = { files: [], problem: '' };

/** The files attached to the next question of this conversation, and the id of their slot. */
function useAttached(conversationId: string | null): Attached & { slot: string } {
  const { chat, services } = useFrame();
  const { attachments } = chat ?? {};
  const subscribe = useCallback(
    (listener: () => void) => {
      const changes = attachments ? [attachments.changed$] : [];
      const subscription = merge(services.session.username$, ...changes).subscribe(listener);
      return () => subscription.unsubscribe();
    },
    [attachments, services],
  );
  const slot = useStored(subscribe, () => attachments?.slotOf(conversationId) ?? '');
  return { ...useStored(subscribe, () => attachments?.read(slot) ?? NONE), slot };
}

function AttachButton({ slot }: { slot: string }) {
  const { t, services, chat } = useFrame();
  const { attachments } = chat ?? {};
  const picker = useRef<HTMLInputElement>(null);
  /** Files chosen before the rest of the screen is loaded. */
  const waiting = useRef<File[]>([]);
  const readRules = () => {
    if (attachments?.rules() === null) attachments.readRules();
  };
  const add = (files: Iterable<File>) => {
    waiting.current.push(...files);
    if (!attachments) return;
    const count = attachments.add(slot, waiting.current.splice(0));
    if (count) services.toasts.show({ kind: 'warning', text: t('tooMany', { count }) });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the attachments are there
  useEffect(() => {
    if (waiting.current.length > 0) add([]);
  }, [attachments]);
  return (
    <>
      <IconButton
        icon="clip"
        label={t('attach')}
        hasTitle
        onPointerEnter={readRules}
        onFocus={readRules}
        onClick={() => picker.current?.click()}
      />
      <input
        ref={picker}
        hidden
        type="file"
        multiple
        accept={attachments?.rules()?.endings.join()}
        aria-label={t('attach')}
        onChange={({ currentTarget }) => {
          add(currentTarget.files ?? []);
          // Allows the same file to be chosen again: otherwise the input would not emit a change event.
          currentTarget.value = '';
        }}
      />
    </>
  );
}
