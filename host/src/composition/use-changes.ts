import { useQueryClient } from '@tanstack/react-query';
import type { PointerInfo } from 'api/contract/compositions';
import { useStream } from 'host/ui/use-stream.ts';
import { useCallback, useState } from 'react';
import type { HostServices } from '../contract.ts';
import { type Change, shortId, undoOf } from './change.ts';
import type { Say } from './composition-words.ts';
import type { Formats } from './formats.ts';
import type { OpsCalls, OpsFailure } from './ops-calls.ts';
import type { OpsToken } from './ops-token.ts';

interface Options {
  services: HostServices;
  calls: OpsCalls;
  opsToken: OpsToken;
  say: Say;
  formats: Formats;
  onDone(change: Change, after: PointerInfo): void;
}

export interface Changes {
  /** What waits for the token or for its confirmation. */
  asked: Change | undefined;
  reason: string;
  setReason(reason: string): void;
  ask(change: Change): void;
  cancel(): void;
  /** Makes it live, decided on `basis`. Rejects with OpsFailure; a token that is refused is forgotten before. */
  perform(change: Change, basis: PointerInfo): Promise<void>;
}

/** From a wish to what is live: token, confirmation, the call, and the way back. */
export function useChanges(options: Options): Changes {
  const { services, calls, opsToken, say, formats, onDone } = options;
  const client = useQueryClient();
  const [asked, setAsked] = useState<Change>();
  const [reason, setReason] = useState('');
  const author = useStream(services.session.username$);

  const ask = useCallback((change: Change) => {
    setReason('');
    setAsked(change);
  }, []);

  const send = async (change: Change, basis: PointerInfo, why: string) => {
    const start = performance.now();
    try {
      const after = await calls.change(change, { author, reason: why, revision: basis.revision });
      const time = formats.duration(performance.now() - start);
      void client.cancelQueries({ queryKey: ['pointer'] });
      client.setQueryData(['pointer'], after);
      onDone(change, after);
      const undo = undoOf(change, basis, after);
      services.toasts.show({
        kind: 'success',
        text: say(`done.${change.kind}`, {
          id: shortId(after.composition.id),
          share: 'share' in change ? change.share : 0,
          time,
        }),
        ...(undo && { action: { label: say('done.undo'), run: () => void takeBack(undo, change, after) } }),
      });
    } catch (thrown) {
      const failure = thrown as OpsFailure;
      if (failure.error === 'ops_token_wrong') opsToken.forget();
      if (failure.error === 'conflict') await client.invalidateQueries({ queryKey: ['pointer'] });
      throw failure;
    }
  };

  /** At once, as whoever pressed 撤销 has said what they want; where that cannot be, by the dialog. */
  const takeBack = async (undo: Change, done: Change, after: PointerInfo) => {
    if (!opsToken.lease$.value) return ask(undo);
    const what = say(`change.${done.kind}`, {
      id: shortId(done.kind === 'rollback' ? done.to : after.composition.id),
      share: 'share' in done ? done.share : 0,
    });
    try {
      await send(undo, after, say('undo.reason', { what }));
    } catch (thrown) {
      const { error, message } = thrown as OpsFailure;
      if (error === 'ops_token_wrong' || error === 'conflict' || error === 'check_failed') ask(undo);
      else services.toasts.show({ kind: 'error', text: message });
    }
  };

  return {
    asked,
    reason,
    setReason,
    ask,
    cancel: () => setAsked(undefined),
    async perform(change, basis) {
      await send(change, basis, reason.trim());
      setAsked(undefined);
    },
  };
}
