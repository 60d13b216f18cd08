import { useQueryClient } from '@tanstack/react-query';
import type { PointerInfo } from 'api/contract/compositions';
import { useStream } from 'host/ui/use-stream.ts';
import { useCallback, useState } from 'react';
import type { HostServices } from '../contract.ts';
import { type Change, shortId, sourceOf, undoOf } from './change.ts';
import type { CompositionTranslate } from './composition-texts.ts';
import type { Formats } from './formats.ts';
import type { OpsCalls, OpsFailure } from './ops-calls.ts';
import type { OpsToken } from './ops-token.ts';

interface Options {
  services: HostServices;
  calls: OpsCalls;
  opsToken: OpsToken;
  t: CompositionTranslate;
  formats: Formats;
  onDone(change: Change, after: PointerInfo): void;
}

/** Changes from request to completion: token, confirmation, call, and undo. */
export function useChanges(options: Options) {
  const { services, calls, opsToken, t, formats, onDone } = options;
  const client = useQueryClient();
  const [requested, setRequested] = useState<Change>();
  const [reason, setReason] = useState('');
  const author = useStream(services.session.username$);

  const request = useCallback((change: Change) => {
    setReason('');
    setRequested(change);
  }, []);

  const { queryKey } = calls.pointer;
  const send = async (change: Change, basis: PointerInfo, why: string) => {
    const start = performance.now();
    try {
      const after = await calls.change(change, { author, reason: why, revision: basis.revision });
      if ('change' in after) {
        void client.invalidateQueries({ queryKey: calls.pendingChanges.queryKey });
        services.toasts.show({ kind: 'info', text: t('pending.requested') });
        return;
      }
      const time = formats.duration(performance.now() - start);
      void client.cancelQueries({ queryKey });
      client.setQueryData(queryKey, after);
      onDone(change, after);
      const undo = undoOf(change, basis, after);
      services.toasts.show({
        kind: 'success',
        text: t(`done.${change.kind}`, { ...valuesOf(change, after), time }),
        ...(undo && { action: { label: t('done.undo'), run: () => void takeBack(undo, change, after) } }),
      });
    } catch (thrown) {
      const failure = thrown as OpsFailure;
      if (failure.error === 'ops_token_wrong') opsToken.forget();
      if (failure.error === 'conflict') await client.invalidateQueries({ queryKey });
      throw failure;
    }
  };

  /** Needs no dialog, because pressing 撤销 confirms the change; shows it after a failure. */
  const takeBack = async (undo: Change, done: Change, after: PointerInfo) => {
    if (!opsToken.lease$.value) return request(undo);
    const what = t(`change.${done.kind}`, valuesOf(done, after));
    try {
      await send(undo, after, t('undo.reason', { what }));
    } catch (thrown) {
      const { error, message } = thrown as OpsFailure;
      if (error === 'ops_token_wrong' || error === 'conflict' || error === 'check_failed') request(undo);
      else services.toasts.show({ kind: 'error', text: message });
    }
  };

  return {
    requested,
    reason,
    setReason,
    request,
    cancel: () => setRequested(undefined),
    /** Performs the change if the pointer is still `basis`. Rejects with OpsFailure; clears a rejected token first. */
    async perform(change: Change, basis: PointerInfo): Promise<void> {
      await send(change, basis, reason.trim());
      setRequested(undefined);
    },
  };
}

/** The values for the texts about a change. */
function valuesOf(change: Change, { composition }: PointerInfo) {
  return {
    id: shortId(composition.id),
    share: 'share' in change ? change.share : 0,
    source: sourceOf(change),
  };
}
