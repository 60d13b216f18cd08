import type { HandoverMessageRequest } from 'api/contract/handover';
import type { Storage } from 'host/contract';
import { createId } from 'host/ui/create-id.ts';

const keyOf = (handoverId: string) => `handover:${handoverId}`;

/** The unsent message of a handover; its `text` is '' if there is none. */
export function readReplyDraft(storage: Storage, handoverId: string): HandoverMessageRequest {
  return storage.get<HandoverMessageRequest>(keyOf(handoverId)) ?? { text: '', clientId: '' };
}

/** Every text has its own `clientId`, so that sending it again after a lost response is idempotent. */
export function saveReplyDraft(storage: Storage, handoverId: string, text: string): HandoverMessageRequest {
  const draft = { text, clientId: createId() };
  if (text) storage.set(keyOf(handoverId), draft);
  else storage.remove(keyOf(handoverId));
  return draft;
}
