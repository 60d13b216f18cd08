import type { Conversation, DeskRecord, RecordPage } from 'api/contract/records';
import type { Http } from 'host/contract';
import { useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { useChat } from '../shared/chat-context.ts';
import { asFailure } from '../shared/http-failure.ts';
import { useToolTexts } from '../sidebar/tool-texts.ts';
import styles from './printed-conversation.module.css';
import { markdown, type ReadRecord, ReadRecords } from './read-records.tsx';

interface PrintedConversationProps {
  conversation: Conversation;
  /** Called after printing, when it was cancelled, and when it failed, which was shown. */
  onEnd(): void;
}

/** The most that the API returns at once. */
const PAGE = 100;

/** Prints a conversation completely, in place of the page: loads all of its records first. */
export function PrintedConversation({ conversation, onEnd }: PrintedConversationProps) {
  const { services, t } = useChat();
  const texts = useToolTexts();
  const { http, toasts, i18n } = services;
  const { id } = conversation;
  const [records, setRecords] = useState<readonly DeskRecord[]>();
  const end = useRef(onEnd);
  end.current = onEnd;
  const preparing = texts('preparingPrint');

  useEffect(() => {
    const gone = new AbortController();
    const dismiss = toasts.show({ kind: 'info', text: preparing });
    Promise.all([readAll(http, id, gone.signal), markdown.load()])
      .then(
        ([all]) => gone.signal.aborted || setRecords(all),
        (reason: unknown) => {
          if (gone.signal.aborted) return;
          toasts.show({ kind: 'error', text: asFailure(reason).message });
          end.current();
        },
      )
      .finally(dismiss);
    return () => gone.abort();
  }, [http, toasts, id, preparing]);

  useEffect(() => {
    if (!records) return;
    const { body } = document;
    const finish = () => end.current();
    body.dataset.printing = 'conversation';
    window.addEventListener('afterprint', finish, { once: true });
    window.print();
    return () => {
      delete body.dataset.printing;
      window.removeEventListener('afterprint', finish);
    };
  }, [records]);

  if (!records) return null;
  return createPortal(
    <section className={styles.printed} aria-hidden="true">
      <h1 dir="auto">{conversation.title}</h1>
      <ReadRecords i18n={i18n} records={records.map((record) => toReadRecord(record, t('myself')))} />
    </section>,
    document.body,
  );
}

/** Oldest first. */
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

function toReadRecord(record: DeskRecord, myself: string): ReadRecord {
  const { contact, status, question, answer, citations, files, createdAt, answeredSince, versionOf } = record;
  return {
    question,
    answer,
    status: status === 'answering' ? 'stopped' : status,
    citations,
    files,
    hiddenFiles: 0,
    createdAt,
    contact: contact ? [contact.name, contact.id].filter(Boolean).join(' ') : myself,
    ...(versionOf ? { version: versionOf.number } : {}),
    ...(answeredSince ? { answeredSince: answeredSince.answer } : {}),
  };
}
