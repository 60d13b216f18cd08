import type { Handover, InboxDetail } from 'api/contract/handover';
import type { HostServices, Translate } from 'host/contract';
import { Dialog, DialogActions } from 'host/ui/dialog.tsx';
import { Fault } from 'host/ui/fault.tsx';
import { TextField } from 'host/ui/text-field.tsx';
import { useHold } from 'host/ui/use-hold.ts';
import { useTranslate } from 'host/ui/use-translate.ts';
import { useEffect, useRef, useState } from 'react';
import { AnswerField } from '../knowledge/answer-field.tsx';
import { ChangedAnswers } from '../knowledge/changed-answers.tsx';
import { checkAnswer, faultOf, MAX_ANSWER, MAX_QUESTION, toRequest } from '../knowledge/check-pair.ts';
import { knowledgeTexts } from '../knowledge/knowledge-texts.ts';
import { useCheckedSave } from '../knowledge/use-checked-save.ts';
import { useDraft } from '../lib/use-draft.ts';
import type { InboxTexts } from './inbox-texts.ts';

interface HandoverPairDialogProps {
  handover: Handover;
  services: Pick<HostServices, 'http' | 'i18n' | 'storage' | 'toasts' | 'updates'>;
  t: Translate<InboxTexts>;
  onClose(): void;
  onSaved(detail: InboxDetail): Promise<void>;
}

/**
 * Saves a request as a curated answer: its question, and the editors' replies as the answer. Before saving it shows which other questions
 * would be answered differently.
 */
export function HandoverPairDialog({ handover, services, t, onClose, onSaved }: HandoverPairDialogProps) {
  const { http, i18n, storage, toasts, updates } = services;
  const tk = useTranslate(i18n, knowledgeTexts);
  const question = useRef<HTMLTextAreaElement>(null);
  const answer = useRef<HTMLTextAreaElement>(null);
  const draft = useDraft(storage, `inbox/pair/${handover.id}`, {
    question: handover.question,
    answer: repliesOf(handover),
  });
  const { value } = draft;
  useHold(updates, draft.isChanged);
  // The dialog itself would focus its close button.
  useEffect(() => answer.current?.focus(), []);
  const [isTried, setIsTried] = useState(false);
  const faults = {
    question: faultOf(value.question, MAX_QUESTION, 'pair.missing.question', tk),
    answer: faultOf(value.answer, MAX_ANSWER, 'pair.missing.answer', tk),
  };
  const request = () => toRequest({ ...value, variants: [] });
  const checked = useCheckedSave({
    check: (signal) => checkAnswer(http, request(), signal),
    save: async () => {
      const { question: asked, answer: said } = request();
      const url = `/api/inbox/${encodeURIComponent(handover.id)}/pair`;
      const { data } = await http.post<InboxDetail>(url, { question: asked, answer: said });
      draft.discard();
      toasts.show({ kind: 'success', text: t('pair.saved') });
      onClose();
      await onSaved(data);
    },
  });
  const { step } = checked;
  const isBusy = step.status === 'checking' || step.status === 'saving';
  const isAsking = step.status === 'asking' || step.status === 'unchecked';
  const save = () => {
    if (isBusy) return;
    setIsTried(true);
    if (faults.question) return question.current?.focus();
    if (faults.answer) return answer.current?.focus();
    void checked.begin();
  };
  const saveLabel =
    step.status === 'checking' ? 'pair.checking' : step.status === 'saving' ? 'pair.saving' : 'pair.save';

  return (
    <Dialog
      title={t('pair.make')}
      closeLabel={t('close')}
      isBusy={step.status === 'saving'}
      onClose={onClose}
      foot={
        isAsking ? (
          <DialogActions
            cancelLabel={tk('check.back')}
            onCancel={checked.back}
            label={tk('check.goOn')}
            onAct={checked.goOn}
          />
        ) : (
          <DialogActions
            cancelLabel={t('cancel')}
            onCancel={onClose}
            label={tk(saveLabel)}
            isBusy={step.status === 'saving'}
            isOff={isBusy}
            onAct={save}
          >
            <p className="note">{tk('pair.kept')}</p>
          </DialogActions>
        )
      }
    >
      {step.status === 'asking' && <ChangedAnswers check={step.check} t={tk} />}
      {step.status === 'unchecked' && <Fault>{tk('check.failed', { message: step.message })}</Fault>}
      {!isAsking && (
        <>
          <TextField
            label={tk('pair.question')}
            inputRef={question}
            rows={2}
            value={value.question}
            fault={isTried ? faults.question : ''}
            onText={(text) => draft.change({ ...value, question: text })}
          />
          <AnswerField
            inputRef={answer}
            t={tk}
            value={value.answer}
            fault={isTried ? faults.answer : ''}
            onChange={(text) => draft.change({ ...value, answer: text })}
          />
          {step.status === 'failed' && <Fault>{step.failure.message}</Fault>}
        </>
      )}
    </Dialog>
  );
}

function repliesOf({ messages }: Handover): string {
  return messages
    .filter(({ from }) => from === 'agent')
    .map(({ text }) => text)
    .join('\n\n');
}
