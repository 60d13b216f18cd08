import { useQueryClient } from '@tanstack/react-query';
import type { InboxDetail } from 'api/contract/handover';
import type { Http, HttpFailure } from 'host/contract';
import { useState } from 'react';

export type HandoverAction = 'take' | 'release' | 'close';

interface HandoverChanges {
  /** The action that is being sent. */
  running: HandoverAction | null;
  /** Why the latest action failed. */
  failure: HttpFailure | null;
  /** Sends an action. Resolves with whether it succeeded. */
  run(action: HandoverAction): Promise<boolean>;
  /** Shows a request as the API returned it, and updates the list. */
  show(detail: InboxDetail): Promise<void>;
  /** Reads the request and the list again, for example after a conflict. */
  refresh(): void;
}

/** Takes, releases and closes one request. A conflict refreshes it, so that it shows who has it. */
export function useHandoverChanges(http: Http, id: string): HandoverChanges {
  const client = useQueryClient();
  const [running, setRunning] = useState<HandoverAction | null>(null);
  const [failure, setFailure] = useState<HttpFailure | null>(null);
  const refresh = () => void client.invalidateQueries({ queryKey: ['inbox'] });
  const show = async (detail: InboxDetail) => {
    const queryKey = ['inbox', 'detail', id];
    // An answer that is on its way may be older.
    await client.cancelQueries({ queryKey });
    client.setQueryData(queryKey, detail);
    setFailure(null);
    refresh();
  };
  const run = async (action: HandoverAction) => {
    if (running) return false;
    setRunning(action);
    try {
      const { data } = await http.post<InboxDetail>(`/api/inbox/${encodeURIComponent(id)}/${action}`);
      await show(data);
      return true;
    } catch (error) {
      const refused = error as HttpFailure;
      setFailure(refused);
      if ([403, 404, 409].includes(refused.status)) refresh();
      return false;
    } finally {
      setRunning(null);
    }
  };
  return { running, failure, run, show, refresh };
}
