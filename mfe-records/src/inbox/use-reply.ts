import type { HandoverMessageRequest, InboxDetail } from 'api/contract/handover';
import type { Http, Storage } from 'host/contract';
import { createId } from 'host/ui/create-id.ts';
import { useAction } from 'host/ui/use-action.ts';
import { useDraft } from '../lib/use-draft.ts';

export const MAX_REPLY = 8000;

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
export function useReply({ http, storage, id, onSent, onRefused }: Options) {
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
