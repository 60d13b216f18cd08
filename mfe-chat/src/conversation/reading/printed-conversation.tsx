import type { Handover, HandoverList } from 'api/contract/handover';
import type { Conversation, DeskRecord, RecordPage } from 'api/contract/records';
import type { Http } from 'host/contract';
import { asFailure } from 'host/ui/failure.ts';
import { markDoubts, shownCitations } from 'host/ui/mark-doubts.ts';
import { ScreenServices, useTexts } from 'host/ui/screen.tsx';
import { useEffect, useEffectEvent, useState } from 'react';
import { createPortal } from 'react-dom';
import { useChat } from '../../state/chat-context.ts';
import { readingTexts } from '../../state/part-texts.ts';
import { markdown } from '../markdown-text.tsx';
import styles from './printed-conversation.module.css';
import readingStyles from './read-records.module.css';
import { type ReadRecord, ReadRecords, Time } from './read-records.tsx';

export interface PrintedConversationProps {
  conversation: Conversation;
  /** Called after printing, after a cancellation, and after a failure, which was reported. */
  onClose(): void;
}

interface Content {
  records: readonly DeskRecord[];
  handovers: readonly Handover[];
}

/** Maximum number of records that the API returns at once. */
const PAGE = 100;

/** Loads all records of a conversation and prints them instead of the page. */
export function PrintedConversation({ conversation, onClose }: PrintedConversationProps) {
  const { services, t } = useChat();
  const { http, toasts } = services;
  const { id } = conversation;
  const [content, setContent] = useState<Content>();
  const end = useEffectEvent(onClose);
  const preparing = t('preparingPrint');

  useEffect(() => {
    const gone = new AbortController();
    const dismiss = toasts.show({ kind: 'info', text: preparing });
    Promise.all([readAll(http, id, gone.signal), readHandovers(http, id, gone.signal), markdown.load()])
      .then(
        ([records, handovers]) => gone.signal.aborted || setContent({ records, handovers }),
        (reason: unknown) => {
          if (gone.signal.aborted) return;
          toasts.show({ kind: 'error', text: asFailure(reason).message });
          end();
        },
      )
      .finally(dismiss);
    return () => gone.abort();
  }, [http, toasts, id, preparing]);

  useEffect(() => {
    if (!content) return;
    const { body } = document;
    const finish = () => end();
    body.dataset.printing = 'conversation';
    window.addEventListener('afterprint', finish, { once: true });
    window.print();
    return () => {
      delete body.dataset.printing;
      window.removeEventListener('afterprint', finish);
    };
  }, [content]);

  if (!content) return null;
  return createPortal(
    <section className={styles.printed} aria-hidden="true">
      <h1 dir="auto">{conversation.title}</h1>
      <ScreenServices services={services}>
        <ReadRecords records={content.records.map((record) => toReadRecord(record, t('myself')))} />
        {content.handovers.map((handover) => (
          <ReadHandover key={handover.id} handover={handover} />
        ))}
      </ScreenServices>
    </section>,
    document.body,
  );
}

/** The printed messages between the visitor and a person. */
function ReadHandover({ handover }: { handover: Handover }) {
  const t = useTexts(readingTexts);
  const { id, question, createdAt, messages } = handover;
  const all = [{ id, from: 'visitor', name: '', text: question, createdAt } as const, ...messages];
  return (
    <div className={readingStyles.person}>
      <h2>{t('person')}</h2>
      {all.map((message) => (
        <div key={message.id}>
          <p className={readingStyles.meta}>
            <b>{message.from === 'agent' ? message.name : t('visitor')}</b> <Time at={message.createdAt} />
          </p>
          <p className="type-read verbatim" dir="auto">
            {message.text}
          </p>
        </div>
      ))}
    </div>
  );
}

/** All records of a conversation, oldest first. */
async function readAll(http: Http, id: string, signal: AbortSignal): Promise<DeskRecord[]> {
  const all: DeskRecord[] = [];
  let cursor: string | null = null;
  do {
    const params: object = cursor === null ? { limit: PAGE } : { limit: PAGE, cursor };
    const { data } = await http.get<RecordPage>(`/api/conversations/${id}/records`, { params, signal });
    all.push(...data.records);
    cursor = data.nextCursor;
  } while (cursor !== null);
  return all.reverse();
}

async function readHandovers(http: Http, id: string, signal: AbortSignal): Promise<Handover[]> {
  return (await http.get<HandoverList>(`/api/conversations/${id}/handovers`, { signal })).data.handovers;
}

function toReadRecord(record: DeskRecord, myself: string): ReadRecord {
  const { contact, status, question, answer, citations, files, createdAt, answeredSince, versionOf } = record;
  return {
    question,
    answer: markDoubts(answer, record.doubts),
    status: status === 'answering' ? 'stopped' : status,
    citations: shownCitations(answer, citations, record.doubts).map(({ n, ...source }) => ({ n, source })),
    files,
    hiddenFiles: 0,
    createdAt,
    contact: contact ? [contact.name, contact.id].filter(Boolean).join(' ') : myself,
    ...(versionOf ? { version: versionOf.number } : {}),
    ...(answeredSince ? { answeredSince: answeredSince.answer } : {}),
  };
}
