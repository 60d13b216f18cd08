import { useQueryClient } from '@tanstack/react-query';
import type { Handover, HandoverMessageRequest, InboxDetail, InboxRecord } from 'api/contract/handover';
import { Button } from 'host/ui/button.tsx';
import { createId } from 'host/ui/create-id.ts';
import { Fault } from 'host/ui/fault.tsx';
import { Icon } from 'host/ui/icon.tsx';
import { EmptyState } from 'host/ui/problem.tsx';
import { Time, useFormats, useTexts } from 'host/ui/screen.tsx';
import { SourceMark } from 'host/ui/source-mark.tsx';
import { useAction } from 'host/ui/use-action.ts';
import { useEnterKey } from 'host/ui/use-enter-key.ts';
import { useHold } from 'host/ui/use-hold.ts';
import { Fragment, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { lateDialog } from '../lib/late-dialog.tsx';
import listStyles from '../lib/list.module.css';
import { FirstRead } from '../lib/load-problem.tsx';
import { BackLink, useEscapeBack } from '../lib/open-item.tsx';
import { SavedAnswer } from '../lib/saved-answer.tsx';
import { useDesk, useRead, useServices } from '../lib/services.ts';
import { inboxTexts, knowledgeTexts } from '../lib/texts.ts';
import { useDraft } from '../lib/use-draft.ts';
import styles from './handover.module.css';
import { StateTag } from './handover-status.tsx';

const HandoverPairDialog = lateDialog(
  async () => (await import('./handover-pair-dialog.tsx')).HandoverPairDialog,
  knowledgeTexts,
);
/** Distance from the end at which new messages scroll into view. */
const NEAR_END_PX = 80;
const DONE = { take: 'taken', release: 'released', close: 'state.closed' } as const;

/** One request: question, contact details, what was asked before, messages, and what an editor can do with it. */
export function HandoverView({ detail }: { detail: InboxDetail }) {
  const t = useTexts(inboxTexts);
  const { dates } = useFormats();
  const { toasts } = useServices();
  const { handover, isMine } = detail;
  const changes = useHandoverChanges(handover.id);
  const [isPairOpen, setIsPairOpen] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const scroll = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const count = handover.messages.length;
  const isLastMine = handover.messages.at(-1)?.from === 'agent';
  useEffect(() => {
    const area = scroll.current;
    // Does not scroll while the editor is reading earlier messages.
    if (area && count > 0 && (isAtEnd.current || isLastMine)) area.scrollTop = area.scrollHeight;
  }, [count, isLastMine]);

  const act = async (action: HandoverAction) => {
    if (!(await changes.run(action))) return;
    toasts.show({ kind: 'success', text: t(DONE[action]) });
    // The pressed button has disappeared.
    (action === 'take' ? field.current : heading.current)?.focus({ preventScroll: true });
  };

  return (
    <>
      <div
        className={styles.scroll}
        ref={scroll}
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
          isAtEnd.current = scrollHeight - scrollTop - clientHeight < NEAR_END_PX;
        }}
      >
        <h2 className={listStyles.question} dir="auto" ref={heading} tabIndex={-1}>
          {handover.question}
        </h2>
        <p className={listStyles.meta}>
          <StateTag handover={handover} isMine={isMine} />
          <time className="num" dateTime={handover.createdAt}>
            {t('askedAt', { time: dates.moment(new Date(handover.createdAt)) })}
          </time>
        </p>
        <dl className={styles.contact}>
          <dt className="type-small">{t('contactDetails')}</dt>
          <dd className="breakable" dir="auto">
            {handover.contactDetails ? (
              <ContactDetails text={handover.contactDetails} />
            ) : (
              t('contactDetails.none')
            )}
          </dd>
        </dl>
        <HandoverActions
          {...{ detail }}
          running={changes.running}
          onAct={act}
          onPair={() => setIsPairOpen(true)}
        />
        <div className="mt-s2">{changes.failure && <Fault>{changes.failure.message}</Fault>}</div>
        <ConversationRecords records={detail.records} />
        <MessageThread messages={handover.messages} />
      </div>
      <ReplyForm {...{ detail }} fieldRef={field} onSent={changes.show} onRefused={changes.refresh} />
      {isPairOpen && (
        <HandoverPairDialog {...{ handover }} onClose={() => setIsPairOpen(false)} onSaved={changes.show} />
      )}
    </>
  );
}

/** The messages after the question, oldest first. New ones are announced. */
function MessageThread({ messages }: { messages: Handover['messages'] }) {
  const t = useTexts(inboxTexts);
  return (
    <div
      className={`stack gap-s4 divided ${styles.thread}`}
      role="log"
      aria-label={t('thread')}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: allows scrolling by keyboard
      tabIndex={0}
    >
      {messages.map(({ id, from, name, text, createdAt }) => (
        <div key={id} className={`stack gap-2px ${styles.message}`} data-from={from}>
          <p className="type-meta quiet">
            <b className="ink-2">{from === 'agent' ? name : t('visitor')}</b> <Time at={createdAt} />
          </p>
          <p className={`verbatim ${styles.words}`} dir="auto">
            {text}
          </p>
        </div>
      ))}
    </div>
  );
}

/** Addresses and numbers inside of other text. At most 200 characters are searched. */
const LINKED =
  /(?<![\w.+-])(?<mail>[\w.+-]{1,64}@(?:[a-z\d-]{1,63}\.){1,5}[a-z]{2,24})(?![\w@-])|(?<![\w+])(?!\d{4}-\d\d-\d\d(?!\d))(?<phone>\+?\d[\d -]{5,18}\d)(?!\w)/giu;

/** Contact details as the visitor wrote them. Mail addresses and telephone numbers become links, everything else stays plain text. */
function ContactDetails({ text }: { text: string }) {
  return partsOf(text).map(({ start, part, href }) => (
    <Fragment key={start}>{href ? <a href={href}>{part}</a> : part}</Fragment>
  ));
}

/** The text in parts, some with the address of a link. */
export function partsOf(text: string): { start: number; part: string; href?: string }[] {
  const parts: { start: number; part: string; href?: string }[] = [];
  let end = 0;
  const addText = (until: number) => {
    if (until > end) parts.push({ start: end, part: text.slice(end, until) });
  };
  for (const { 0: part, index, groups } of text.matchAll(LINKED)) {
    addText(index);
    const href = groups?.mail ? `mailto:${encodeURI(part)}` : `tel:${part.replace(/[ -]/g, '')}`;
    parts.push({ start: index, part, href });
    end = index + part.length;
  }
  addText(text.length);
  return parts;
}

/** What the visitor asked before, and the answers of the desk, each collapsed. */
function ConversationRecords({ records }: { records: InboxRecord[] }) {
  const t = useTexts(inboxTexts);
  return (
    <section className="divided" aria-label={t('records')}>
      <h3 className="mb-s1 type-small strong ink-2">{t('records')}</h3>
      {records.length === 0 && <p className="type-small quiet">{t('records.none')}</p>}
      {records.map(({ question, answer, source, createdAt }) => (
        <details key={`${createdAt}${question}`}>
          <summary className={styles.summary}>
            <Icon name="chevron" isSmall className="right quiet" />
            <span className="grow clip" dir="auto">
              {question}
            </span>
            <span className="type-meta quiet">
              <SourceMark source={source} label={t(`source.${source}`)} />
            </span>
          </summary>
          <div className="well mb-s2">
            <p className="verbatim" dir="auto">
              {question}
            </p>
            <p className="type-meta quiet">
              <Time at={createdAt} />
            </p>
            <SavedAnswer markdown={answer} />
          </div>
        </details>
      ))}
    </section>
  );
}

interface HandoverActionsProps {
  detail: InboxDetail;
  running: HandoverAction | null;
  onAct(action: HandoverAction): void;
  /** Opens the form for a curated answer. */
  onPair(): void;
}

/** The actions of an editor on a request. A request taken by another editor can be released, because that person may be absent. */
function HandoverActions({ detail, running, onAct, onPair }: HandoverActionsProps) {
  const t = useTexts(inboxTexts);
  const { handover, agent, isMine, pairId, mayAddPair } = detail;
  const isOpen = handover.state !== 'closed';
  const isBusy = running !== null;
  const act = (action: HandoverAction) => ({
    type: 'button' as const,
    'aria-disabled': isBusy || undefined,
    onClick: () => {
      if (!isBusy) onAct(action);
    },
  });
  return (
    <>
      {isOpen && agent !== null && !isMine && (
        <p className="line gap-6px mt-s4 type-small ink-2">
          <Icon name="info" isSmall />
          {t('theirs', { name: agent })}
        </p>
      )}
      <div className="line wrap mt-s4 no-print">
        {isOpen && agent === null && <Button look="small primary" label={t('take')} {...act('take')} />}
        {isOpen && agent !== null && (
          <Button look="small" label={t('release')} title={t('release.about')} {...act('release')} />
        )}
        {isOpen && <Button look="small" label={t('finish')} {...act('close')} />}
        {mayAddPair && (
          <Button look="small" label={t('pair.make')} title={t('pair.make.about')} onClick={onPair} />
        )}
        {pairId && (
          <Link className={`line gap-s1 type-small ${styles.pair}`} to="/knowledge?v=pairs">
            <Icon name="check" isSmall />
            {t('pair.show')}
          </Link>
        )}
      </div>
    </>
  );
}

type HandoverAction = 'take' | 'release' | 'close';

/** Takes, releases and closes one request. A conflict refreshes it, so that it shows who has it. */
function useHandoverChanges(id: string) {
  const { http } = useServices();
  const client = useQueryClient();
  /** Reads the request and the list again, for example after a conflict. */
  const refresh = () => void client.invalidateQueries({ queryKey: ['inbox'] });
  const [action, setAction] = useState<HandoverAction>('take');
  const { isBusy, failure, run, clear } = useAction({
    onFailure: ({ status }) => [403, 404, 409].includes(status) && refresh(),
  });
  /** Shows a request as the API returned it, and updates the list. */
  const show = async (detail: InboxDetail) => {
    const queryKey = ['inbox', 'detail', id];
    // A response in progress may be older.
    await client.cancelQueries({ queryKey });
    client.setQueryData(queryKey, detail);
    clear();
    refresh();
  };
  /** Sends an action. Resolves with whether it succeeded. */
  const send = async (next: HandoverAction): Promise<boolean> => {
    if (!isBusy) setAction(next);
    return run(async () =>
      show((await http.post<InboxDetail>(`/api/inbox/${encodeURIComponent(id)}/${next}`)).data),
    );
  };
  return { running: isBusy ? action : null, failure, run: send, show, refresh };
}

interface HandoverPaneProps {
  /** The request in the address; null without one. */
  id: string | null;
  /** The address of the list without a chosen request. */
  backSearch: string;
}

/** The chosen request beside the list, or why it cannot be shown. */
export function HandoverPane({ id, backSearch }: HandoverPaneProps) {
  const t = useTexts(inboxTexts);
  useEscapeBack(id !== null, { search: backSearch });
  const query = useRead<InboxDetail>(`/api/inbox/${encodeURIComponent(id ?? '')}`, {
    queryKey: ['inbox', 'detail', id],
    enabled: id !== null,
    staleTime: 0,
  });
  if (id === null) return <p className={`blank ${styles.none}`}>{t('choose')}</p>;
  const { data, error } = query;
  const isGone = error?.status === 404;
  return (
    <article className={`column ${listStyles.open}`} aria-label={t('request')}>
      <BackLink className={styles.back} to={{ search: backSearch }} label={t('back')} takesFocus />
      {isGone && (
        <EmptyState title={t('gone')} about={t('gone.about')}>
          <Link className="button" to={{ search: backSearch }}>
            {t('back')}
          </Link>
        </EmptyState>
      )}
      {data && !isGone && <HandoverView detail={data} />}
      {!isGone && (
        <FirstRead
          query={query}
          title={t('request.failed')}
          className="pad-s6"
          label={t('request.loading')}
          lines={['most', 'third', 'full', 'full', 'half']}
        />
      )}
    </article>
  );
}

interface ReplyFormProps {
  detail: InboxDetail;
  fieldRef: RefObject<HTMLTextAreaElement | null>;
  onSent(detail: InboxDetail): Promise<void>;
  onRefused(): void;
}

/**
 * The field for a reply. A draft stays until it is sent or discarded, even if another editor takes or closes the request. Hidden if there
 * is neither a draft nor permission to reply.
 */
function ReplyForm({ detail, fieldRef, onSent, onRefused }: ReplyFormProps) {
  const { t, updates } = useDesk(inboxTexts);
  const { handover, isMine, agent } = detail;
  const id = useId();
  const isClosed = handover.state === 'closed';
  const isAllowed = !isClosed && (isMine || agent === null);
  const { text, isSending, failure, change, send } = useReply(handover.id, onSent, onRefused);
  const length = text.trim().length;
  useHold(updates, length > 0);
  const submit = async () => {
    if (!isAllowed) return;
    await send();
    fieldRef.current?.focus();
  };
  const keys = useEnterKey(() => void submit());
  if (!isAllowed && length === 0) return null;
  const isTooLong = length > MAX_REPLY;
  const problem = isTooLong
    ? t('reply.tooLong', { most: MAX_REPLY, count: length })
    : failure
      ? t('reply.failed', { message: failure.message.replace(/[。.]$/, '') })
      : isAllowed
        ? ''
        : t(isClosed ? 'reply.kept.closed' : 'reply.kept.theirs', { name: agent ?? '' });
  return (
    <form
      className={`rule-above no-print ${styles.reply}`}
      aria-label={t('reply')}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <textarea
        ref={fieldRef}
        className="input"
        dir="auto"
        rows={3}
        aria-label={t('reply')}
        aria-invalid={isTooLong || undefined}
        aria-describedby={`${id}-note`}
        placeholder={t('reply.hint')}
        enterKeyHint="send"
        readOnly={isSending}
        value={text}
        onChange={({ target }) => change(target.value)}
        {...keys}
      />
      <div className="line gap-s3 mt-s2">
        <p
          id={`${id}-note`}
          className={`field-note grow ${problem ? 'error' : ''}`}
          role={problem ? 'alert' : undefined}
        >
          {problem && <Icon name="alert" />}
          {problem || <span className={styles.keys}>{t('reply.keys')}</span>}
        </p>
        {!isAllowed && <Button look="small" label={t('reply.discard')} onClick={() => change('')} />}
        {isAllowed && (
          <Button
            look="primary"
            label={t(isSending ? 'reply.sending' : 'reply.send')}
            type="submit"
            isOff={isSending || isTooLong}
          />
        )}
      </div>
    </form>
  );
}

const MAX_REPLY = 8000;

const EMPTY: HandoverMessageRequest = { text: '', clientId: '' };

/**
 * The reply to a request. Its text is stored in this browser until it was sent. A repetition after a failure has the same `clientId`, so that
 * the visitor gets the text once even if only the response was lost.
 */
function useReply(id: string, onSent: (detail: InboxDetail) => Promise<void>, onRefused: () => void) {
  const { http, storage } = useServices();
  const draft = useDraft(storage, `inbox/reply/${id}`, EMPTY);
  const {
    isBusy: isSending,
    failure,
    run,
    clear,
  } = useAction({
    onFailure: ({ status }) => [403, 404, 409].includes(status) && onRefused(),
  });
  const { text, clientId } = draft.value;
  const send = async () => {
    const message = { text: text.trim(), clientId: clientId || createId() };
    if (isSending || !message.text || message.text.length > MAX_REPLY) return false;
    draft.change({ ...message, text });
    return run(async () => {
      const { data } = await http.post<InboxDetail>(`/api/inbox/${encodeURIComponent(id)}/messages`, message);
      draft.discard();
      await onSent(data);
    });
  };
  const change = (next: string) => {
    clear();
    if (next) draft.change({ text: next, clientId: '' });
    else draft.discard();
  };
  return { text, isSending, failure, change, send };
}
