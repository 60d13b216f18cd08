import { useQueryClient } from '@tanstack/react-query';
import type { InboxDetail } from 'api/contract/handover';
import type { Http } from 'host/contract';
import { useAction } from 'host/ui/use-action.ts';
import { useState } from 'react';

export type HandoverAction = 'take' | 'release' | 'close';

/** Takes, releases and closes one request. A conflict refreshes it, so that it shows who has it. */
export function useHandoverChanges(http: Http, id: string) {
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
    // An answer that is on its way may be older.
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
