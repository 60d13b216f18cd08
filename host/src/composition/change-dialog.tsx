import { useQuery } from '@tanstack/react-query';
import type { PointerInfo, ReleaseChange } from 'api/contract/compositions';
import { ActionDialog } from 'host/ui/dialog.tsx';
import { Fault } from 'host/ui/fault.tsx';
import { Icon } from 'host/ui/icon.tsx';
import { TextField } from 'host/ui/text-field.tsx';
import { useAction } from 'host/ui/use-action.ts';
import { useEffect, useRef, useState } from 'react';
import { type Change, canaryOf, changesBetween, changesOf, shortId, sourceOf } from './change.ts';
import { ChangeList } from './change-list.tsx';
import styles from './composition.module.css';
import type { OpsFailure } from './ops-calls.ts';
import { Findings } from './problems.tsx';
import { useScreen } from './screen-context.ts';

const REASON_MAX = 500;

interface ChangeDialogProps {
  change: Change;
  /** The current pointer; the dialog keeps the one it was opened with, and warns when it has changed. */
  pointer: PointerInfo;
  reason: string;
  onReason(reason: string): void;
  perform(change: Change, basis: PointerInfo): Promise<void>;
  onClose(): void;
}

/** Shows what will change, asks for a reason, and performs the change. Stays open with advice if the change is rejected. */
export function ChangeDialog({ change, pointer, reason, onReason, perform, onClose }: ChangeDialogProps) {
  const { t } = useScreen();
  const [basis, setBasis] = useState(pointer);
  const [hasMoved, setMoved] = useState(false);
  const { isBusy, failure, run, clear } = useAction();
  const { findings = [] } = (failure ?? {}) as Partial<OpsFailure>;
  const { changes, unknown } = useWhatChanges(change, basis);
  const field = useRef<HTMLTextAreaElement>(null);

  useEffect(() => {
    if (isBusy || pointer.revision === basis.revision) return;
    setBasis(pointer);
    setMoved(true);
    clear();
  }, [pointer, basis, isBusy, clear]);

  const isOver = !applies(change, basis);
  const values = valuesOf(change, basis);
  const isDanger = change.kind === 'rollback' || change.kind === 'abort';
  const ends =
    basis.canary && (change.kind === 'set' || change.kind === 'promotion' || change.kind === 'rollback');

  const submit = () => {
    if (isOver) return;
    setMoved(false);
    void run(() => perform(change, basis));
  };

  return (
    <ActionDialog
      title={t(`change.${change.kind}`, values)}
      isBusy={isBusy}
      onClose={onClose}
      onSubmit={submit}
      action={t(`change.${change.kind}.do`, values)}
      isDanger={isDanger}
      isOff={isBusy || isOver}
      aside={
        <span className="note" role="status">
          {isBusy && (
            <span className={styles.busy}>
              {t(
                change.kind === 'abort' || change.kind === 'share' ? 'change.runningPlain' : 'change.running',
              )}
            </span>
          )}
        </span>
      }
    >
      <div role="alert" className={`stack ${styles.alerts}`}>
        {hasMoved && (
          <p className="banner">
            <Icon name="alert" />
            <span>{t(isOver ? 'change.movedOver' : 'change.moved', values)}</span>
          </p>
        )}
        {failure && <Fault isQuiet>{findings.length ? t('change.refused') : failure.message}</Fault>}
      </div>
      {findings.length > 0 && <Findings findings={findings} />}
      <p className="ink-2">
        {t(`change.${change.kind}.about`, values)}
        {ends && ` ${t('change.ends', values)}`}
      </p>
      {changes && (
        <div className={styles.whatChanges}>
          <h3>{t('change.what')}</h3>
          {changes.length > 0 ? <ChangeList changes={changes} /> : <p>{t('change.nothing')}</p>}
        </div>
      )}
      {unknown && <Fault isQuiet>{unknown.message}</Fault>}
      <TextField
        label={t('change.reason')}
        inputRef={field}
        rows={2}
        maxLength={REASON_MAX}
        value={reason}
        readOnly={isBusy}
        note={t('change.reasonHint')}
        onText={onReason}
      />
    </ActionDialog>
  );
}

interface WhatChanges {
  /** Differences to the live composition after the change; undefined while unknown, and if nothing of it changes. */
  changes?: ReleaseChange[];
  /** Why the differences are unknown. */
  unknown?: OpsFailure;
}

function useWhatChanges(change: Change, pointer: PointerInfo): WhatChanges {
  const { composition, canaries } = pointer;
  const canary = canaryOf(change, pointer);
  const { calls } = useScreen();
  const named = targetOf(change);
  const known = [composition, ...canaries.map((one) => one.composition)].find((one) => one.id === named);
  const { data, error } = useQuery({ ...calls.composition(named), enabled: named !== '' && !known });
  if ('choice' in change && 'releases' in change.choice)
    return { changes: changesOf(composition, change.choice.releases, change.choice.without) };
  if (canary && change.kind === 'promote')
    return { changes: changesBetween(composition, canary.composition) };
  if (canary && change.kind === 'abort') return { changes: changesBetween(canary.composition, composition) };
  const target = known ?? data;
  if (target) return { changes: changesBetween(composition, target) };
  return error ? { unknown: error } : {};
}

/** The id of the change's composition, '' if it has none. */
function targetOf(change: Change): string {
  if (change.kind === 'rollback') return change.to;
  return 'choice' in change && 'composition' in change.choice ? change.choice.composition : '';
}

function applies(change: Change, pointer: PointerInfo): boolean {
  const { composition } = pointer;
  const canary = canaryOf(change, pointer);
  if (change.kind === 'rollback') return change.to !== composition.id;
  if (change.kind === 'promote') return canary !== null && !canary.halted;
  if (change.kind === 'pause') return Boolean(canary?.plan) && !canary?.paused && !canary?.halted;
  if (change.kind === 'resume') return Boolean(canary?.paused ?? canary?.halted);
  return 'choice' in change || canary !== null;
}

function valuesOf(change: Change, pointer: PointerInfo) {
  const { composition } = pointer;
  const canary = canaryOf(change, pointer);
  const next = canary ? shortId(canary.composition.id) : '';
  return {
    live: shortId(composition.id),
    canary: next,
    id: change.kind === 'rollback' ? shortId(change.to) : next,
    from: canary && !canary.halted ? canary.share : 0,
    share: 'share' in change ? change.share : 0,
    source: sourceOf(change),
  };
}
