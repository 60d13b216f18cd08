import type { UnansweredQuestion } from 'api/contract/knowledge';
import type { HostServices, HttpFailure, Translate } from 'host/contract';
import { Button } from 'host/ui/button.tsx';
import { asFailure } from 'host/ui/failure.ts';
import { Fault } from 'host/ui/fault.tsx';
import { useHold } from 'host/ui/use-hold.ts';
import { useEffect, useRef, useState } from 'react';
import { lateDialog } from '../lib/late-dialog.tsx';
import { useDraft } from '../lib/use-draft.ts';
import { checkAnswer } from './check-pair.ts';
import styles from './inbox.module.css';
import type { KnowledgeTexts } from './knowledge-texts.ts';
import { faultOf, MAX_ANSWER, type PairText, toRequest } from './pair-request.ts';
import { useCheckedSave } from './use-checked-save.ts';
import { VariantsField } from './variants-field.tsx';

interface InboxAnswerProps {
  question: UnansweredQuestion;
  services: Pick<HostServices, 'http' | 'storage' | 'updates'>;
  t: Translate<KnowledgeTexts>;
  draftKey: string;
  isDismissing: boolean;
  onDismiss(): void;
  onGolden(): void;
  onSaved(): void;
  onRefused(failure: HttpFailure): void;
}

/** The text typed as answer to a question. */
export type AnswerText = Pick<PairText, 'answer' | 'variants'>;

const NOTHING: AnswerText = { answer: '', variants: [] };
const ChangedDialog = lateDialog(async () => (await import('./changed-dialog.tsx')).ChangedDialog);

/** The answer to an unanswered question. When saved it becomes a curated pair and is shown to those who asked. */
export function InboxAnswer(props: InboxAnswerProps) {
  const {
    question: one,
    services,
    t,
    draftKey,
    isDismissing,
    onDismiss,
    onGolden,
    onSaved,
    onRefused,
  } = props;
  const { http, storage, updates } = services;
  const text = useRef<HTMLTextAreaElement>(null);
  const draft = useDraft(storage, draftKey, NOTHING);
  const { answer, variants } = draft.value;
  useHold(updates, draft.isChanged);
  const [isTried, setIsTried] = useState(false);
  const fault = faultOf(answer, MAX_ANSWER, 'pair.missing.answer', t);
  useEffect(() => text.current?.focus(), []);

  const request = () => toRequest({ question: one.question, variants, answer });
  const checked = useCheckedSave({
    check: (signal) => checkAnswer(http, request(), signal),
    save: async () => {
      const { answer: said, variants: others } = request();
      const body = { answer: said, variants: others };
      try {
        await http.post(`/api/knowledge/unanswered/${encodeURIComponent(one.id)}/answer`, body);
      } catch (error) {
        const failure = asFailure(error);
        if (failure.status === 404 || failure.status === 409) return onRefused(failure);
        throw error;
      }
      storage.remove(draftKey);
      onSaved();
    },
  });
  const { step } = checked;
  const isBusy = step.status === 'checking' || step.status === 'saving' || isDismissing;
  const save = () => {
    if (isBusy) return;
    setIsTried(true);
    if (fault) return text.current?.focus();
    void checked.begin();
  };
  const label =
    step.status === 'checking' ? 'pair.checking' : step.status === 'saving' ? 'pair.saving' : 'inbox.save';

  return (
    <div className={styles.answer}>
      <textarea
        ref={text}
        className="input"
        dir="auto"
        rows={4}
        aria-label={t('pair.answer')}
        value={answer}
        aria-invalid={(isTried && fault !== '') || undefined}
        onChange={({ target }) => draft.change({ answer: target.value, variants })}
      />
      {isTried && fault && <Fault>{fault}</Fault>}
      <VariantsField
        t={t}
        isBrief
        variants={variants}
        offered={one.alike}
        onChange={(next) => draft.change({ answer, variants: next })}
      />
      {step.status === 'failed' && <Fault>{step.failure.message}</Fault>}
      <div className={styles.row}>
        <Button look={`small bare ${styles.golden}`} label={t('golden.make')} onClick={onGolden} />
        <Button look="small bare" label={t('inbox.dismiss')} aria-disabled={isBusy} onClick={onDismiss} />
        <Button look="small primary" label={t(label)} aria-disabled={isBusy} onClick={save} />
      </div>
      {(step.status === 'asking' || step.status === 'unchecked') && (
        <ChangedDialog t={t} step={step} onClose={checked.back} onGoOn={checked.goOn} />
      )}
    </div>
  );
}
