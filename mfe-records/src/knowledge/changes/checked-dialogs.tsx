import type {
  KnowledgeChange,
  KnowledgeCheck,
  KnowledgeDocumentInfo,
  KnowledgePair,
} from 'api/contract/knowledge';
import { Button } from 'host/ui/button.tsx';
import { ActionDialog } from 'host/ui/dialog.tsx';
import { Fault } from 'host/ui/fault.tsx';
import { useAction } from 'host/ui/use-action.ts';
import type { ReactNode } from 'react';
import styles from '../../lib/dialog-parts.module.css';
import { useDesk, useRead } from '../../lib/services.ts';
import { knowledgeTexts } from '../../lib/texts.ts';
import type { DialogContext } from '../lib/dialog-context.ts';
import { ChangedAnswers } from './changed-answers.tsx';

export interface DeleteDialogProps
  extends Pick<DialogContext, 'onClose' | 'onChanged' | 'onDeleted' | 'onRefused'> {
  target: { kind: 'document'; document: KnowledgeDocumentInfo } | { kind: 'pair'; pair: KnowledgePair };
}

/** Confirms the deletion of a document or pair, and shows what is deleted with it. */
export function DeleteDialog({ target, onDeleted, onChanged, ...dialog }: DeleteDialogProps) {
  const { t, http } = useDesk(knowledgeTexts);
  const { kind } = target;
  const { id } = kind === 'document' ? target.document : target.pair;
  // That a pair no longer answers its own questions is expected; only the first is listed.
  const own = kind === 'pair' ? target.pair.variants : [];
  return (
    <CheckedDialog
      {...dialog}
      title={t(kind === 'document' ? 'delete.document' : 'delete.pair')}
      change={{ kind: `delete_${kind}`, id }}
      refusals={[403, 404, 409]}
      action={(isBusy) => (isBusy ? t('deleting') : t(`delete.${kind}.do`))}
      isDanger
      write={() => http.delete(`/api/knowledge/${kind}s/${encodeURIComponent(id)}`)}
      done={
        kind === 'document'
          ? t('delete.document.done', { name: target.document.title })
          : t('delete.pair.done')
      }
      onDone={() => {
        onDeleted(id);
        onChanged();
      }}
      own={own}
      same={({ isPartial, checked }) => t(isPartial ? 'check.partial' : 'check.same', { checked })}
    >
      <div>{kind === 'document' ? aboutDocument(target.document) : aboutPair(target.pair)}</div>
    </CheckedDialog>
  );

  function aboutDocument({ title, passages, cited }: KnowledgeDocumentInfo) {
    return (
      <>
        <p>{t('delete.document.what', { name: title, passages })}</p>
        {cited > 0 && <p className="quiet">{t('delete.document.cited', { count: cited })}</p>}
      </>
    );
  }

  function aboutPair({ question, variants, hits }: KnowledgePair) {
    return (
      <>
        <p>{t('delete.pair.what', { name: question, count: variants.length + 1 })}</p>
        {hits > 0 && <p className="quiet">{t('delete.pair.hits', { count: hits })}</p>}
      </>
    );
  }
}

export interface PublishDialogProps extends Pick<DialogContext, 'onClose' | 'onChanged' | 'onRefused'> {
  document: KnowledgeDocumentInfo;
  onTry(): void;
}

/** Publishes a draft. */
export function PublishDialog({
  document: { id, title: name },
  onTry,
  onChanged,
  ...dialog
}: PublishDialogProps) {
  const { t, http } = useDesk(knowledgeTexts);
  return (
    <CheckedDialog
      {...dialog}
      title={t('draft.publish')}
      change={{ kind: 'publish_document', id }}
      refusals={[403, 404]}
      action={() => t('draft.publish.do')}
      aside={(isBusy) => (
        <Button
          look={`bare ${styles.otherAction}`}
          label={t('draft.try')}
          disabled={isBusy}
          onClick={onTry}
        />
      )}
      write={() => http.post(`/api/knowledge/documents/${encodeURIComponent(id)}/publish`)}
      done={t('draft.published', { name })}
      onDone={onChanged}
      same={({ goldenChecked, checked }) => t('draft.same', { golden: goldenChecked, checked })}
    >
      <p>{t('draft.publish.about', { name })}</p>
    </CheckedDialog>
  );
}

interface CheckedDialogProps extends Pick<DialogContext, 'onClose' | 'onRefused'> {
  title: string;
  change: KnowledgeChange;
  /** Label of the action. */
  action(isBusy: boolean): string;
  isDanger?: boolean;
  aside?(isBusy: boolean): ReactNode;
  /** Changes the knowledge. */
  write(): Promise<unknown>;
  /** Status codes with which the action is refused for good. */
  refusals: readonly number[];
  /** Text after the change. */
  done: string;
  onDone(): void;
  /** Questions that are answered differently on purpose. */
  own?: readonly string[];
  /** Text if no question is answered differently. */
  same(check: KnowledgeCheck): string;
  children: ReactNode;
}

/** Shows which questions will be answered differently before a change of the knowledge, and makes it. */
function CheckedDialog(props: CheckedDialogProps) {
  const { change, action, write, refusals, done, own = [], same, onClose } = props;
  const { t, toasts } = useDesk(knowledgeTexts);
  const { isBusy, failure, run } = useAction({
    onFailure: (reason) => refusals.includes(reason.status) && props.onRefused(reason),
  });
  const { data, error, isFetching } = useRead<KnowledgeCheck>('/api/knowledge/check', {
    queryKey: ['check', change],
    body: change,
    refetchOnMount: 'always',
  });
  const isOff = isBusy || isFetching;
  const act = async () => {
    await write();
    toasts.show({ kind: 'success', text: done });
    onClose();
    props.onDone();
  };
  return (
    <ActionDialog
      title={props.title}
      {...{ isBusy, failure, isOff, onClose }}
      isDanger={props.isDanger}
      action={action(isBusy)}
      onAct={() => isOff || void run(act)}
      aside={props.aside?.(isBusy)}
    >
      {props.children}
      <div aria-live="polite" aria-busy={isFetching}>
        {isFetching && <p className="quiet late">{t('check.running')}</p>}
        {error && !isFetching && <Fault isQuiet>{t('check.failed', { message: error.message })}</Fault>}
        {data && !isFetching && shown(data)}
      </div>
    </ActionDialog>
  );

  function shown(all: KnowledgeCheck) {
    const check = { ...all, changed: all.changed.filter(({ question }) => !own.includes(question)) };
    const isSame = check.changed.length + check.golden.length === 0;
    return isSame ? <p className="quiet">{same(check)}</p> : <ChangedAnswers check={check} />;
  }
}
