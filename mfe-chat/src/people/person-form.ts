import type { HandoverRequest } from 'api/contract/handover';
import { createId } from 'host/ui/create-id.ts';
import { useState } from 'react';
import { useChat, useFrame } from '../state/chat-context.ts';

/** What has been typed into the form. `clientId` changes with the question, so that repeating a request is idempotent. */
export type PersonForm = Required<Pick<HandoverRequest, 'question' | 'contactDetails' | 'clientId'>>;

/** What the request is about: a record and its question, or only a question. */
export interface FormSubject {
  recordId?: string;
  question: string;
}

interface StoredForm extends PersonForm {
  subject: FormSubject | null;
}

/**
 * The form of a conversation, stored in the browser until it is sent. At first it contains the question of its subject, or else the draft
 * in the composer, or else the latest question.
 */
export function usePersonForm(conversationId: string | null, subject: FormSubject | null) {
  const { chat, services } = useChat();
  const { drafts } = useFrame();
  const { storage } = services;
  const key = `person-form:${conversationId ?? 'new'}`;
  const [draft] = useState(() => (subject ? '' : drafts.read(conversationId)));
  const [stored, setStored] = useState<StoredForm>(() => {
    const kept = storage.get<StoredForm>(key);
    if (kept && isSame(kept.subject, subject)) return kept;
    const latest = chat.store.chatList.findLast(({ inversion, text }) => inversion && text)?.text ?? '';
    const question = subject?.question ?? (draft.trim() || latest);
    return { question, contactDetails: '', clientId: createId(), subject };
  });
  const [isChanged, setIsChanged] = useState(false);
  return {
    form: stored,
    isChanged,
    change(fields: Partial<Pick<PersonForm, 'question' | 'contactDetails'>>): void {
      const isOther = fields.question !== undefined && fields.question !== stored.question;
      const next = { ...stored, ...fields, ...(isOther && { clientId: createId() }) };
      setStored(next);
      setIsChanged(true);
      storage.set(key, next);
    },
    /** Removes what was sent from the browser's storage, and from the composer if it came from there. */
    clear(): void {
      storage.remove(key);
      const isDraft = draft !== '' && stored.question.includes(draft.trim());
      if (!isDraft || drafts.read(conversationId) !== draft) return;
      drafts.write(conversationId, '');
      drafts.changed$.next(conversationId);
    },
  };
}

function isSame(one: FormSubject | null, other: FormSubject | null): boolean {
  return one?.recordId === other?.recordId && one?.question === other?.question;
}
