import type { HandoverMessageRequest, InboxDetail } from 'api/contract/handover';
import type { Http, HttpFailure, Storage } from 'host/contract';
import { useState } from 'react';
import { useDraft } from '../knowledge/use-draft.ts';

export const MAX_REPLY = 8000;

interface Reply {
  text: string;
  isSending: boolean;
  failure: HttpFailure | null;
  change(text: string): void;
  /** Resolves with whether it was sent. */
  send(): Promise<boolean>;
}

interface Options {
  http: Http;
  storage: Storage;
  /** Id of the request. */
  id: string;
  onSent(detail: InboxDetail): Promise<void>;
  onRefused(): void;
}

const EMPTY: HandoverMessageRequest = { text: '', clientId: '' };

/**
 * The reply to a request. Its text is stored in this browser until it was sent. A repetition after a failure has the same `clientId`, so that
 * the visitor gets the text once even if only the response was lost.
 */
export function useReply({ http, storage, id, onSent, onRefused }: Options): Reply {
  const draft = useDraft(storage, `inbox/reply/${id}`, EMPTY);
  const [isSending, setIsSending] = useState(false);
  const [failure, setFailure] = useState<HttpFailure | null>(null);
  const { text, clientId } = draft.value;
  const send = async () => {
    const message = { text: text.trim(), clientId: clientId || createClientId() };
    if (isSending || !message.text || message.text.length > MAX_REPLY) return false;
    setIsSending(true);
    setFailure(null);
    draft.change({ ...message, text });
    try {
      const { data } = await http.post<InboxDetail>(`/api/inbox/${encodeURIComponent(id)}/messages`, message);
      draft.discard();
      await onSent(data);
      return true;
    } catch (error) {
      const refused = error as HttpFailure;
      setFailure(refused);
      if ([403, 404, 409].includes(refused.status)) onRefused();
      return false;
    } finally {
      setIsSending(false);
    }
  };
  const change = (next: string) => {
    setFailure(null);
    if (next) draft.change({ text: next, clientId: '' });
    else draft.discard();
  };
  return { text, isSending, failure, change, send };
}

/** `crypto.randomUUID` exists only in secure contexts (TLS). */
function createClientId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
