import type { KnowledgePair } from 'api/contract/knowledge';
import type { HostServices, Translate } from 'host/contract';
import { Button } from 'host/ui/button.tsx';
import { Dialog, DialogActions } from 'host/ui/dialog.tsx';
import { Fault } from 'host/ui/fault.tsx';
import { TextField } from 'host/ui/text-field.tsx';
import { useHold } from 'host/ui/use-hold.ts';
import { useEffect, useRef, useState } from 'react';
import { useDraft } from '../lib/use-draft.ts';
import { AnswerField } from './answer-field.tsx';
import { ChangedAnswers } from './changed-answers.tsx';
import {
  checkPair,
  EMPTY_PAIR,
  faultOf,
  MAX_ANSWER,
  MAX_QUESTION,
  type PairText,
  pairDraftKey,
  toRequest,
} from './check-pair.ts';
import type { KnowledgeTexts } from './knowledge-texts.ts';
import styles from './pairs.module.css';
import { useCheckedSave } from './use-checked-save.ts';
import { VariantsField } from './variants-field.tsx';

interface PairDialogProps {
  services: Pick<HostServices, 'http' | 'storage' | 'toasts' | 'updates'>;
  t: Translate<KnowledgeTexts>;
  /** null for a new one. */
  pair: KnowledgePair | null;
  /** Id of the collection of a new one; '' for the first one. */
  collection: string;
  onClose(): void;
  onChanged(): void;
  /** Asks for confirmation to delete it. */
  onDelete(): void;
}

/** Edits a curated question with its wordings and answer. Before saving it shows which other questions would be answered differently. */
export function PairDialog({ services, t, pair, collection, onClose, onChanged, onDelete }: PairDialogProps) {
  const { http, storage, toasts, updates } = services;
  const question = useRef<HTMLTextAreaElement>(null);
  const answer = useRef<HTMLTextAreaElement>(null);
  const draft = useDraft(storage, pairDraftKey(pair?.id ?? null), pair ? pick(pair) : EMPTY_PAIR);
  const { value } = draft;
  useHold(updates, draft.isChanged);
  // The dialog itself would focus its close button.
  useEffect(() => question.current?.focus(), []);
  const [isTried, setIsTried] = useState(false);
  /** It was deleted meanwhile and can only be saved as a new one. */
  const [isGone, setIsGone] = useState(false);
  /** It was changed meanwhile: saving again overwrites that. */
  const [isStale, setIsStale] = useState(false);
  const known = isGone ? null : pair;
  const into = !known && collection ? { collectionId: pair?.collectionId ?? collection } : {};
  const faults = {
    question: faultOf(value.question, MAX_QUESTION, 'pair.missing.question', t),
    answer: faultOf(value.answer, MAX_ANSWER, 'pair.missing.answer', t),
  };

  const checked = useCheckedSave({
    check: (signal) => checkPair(http, { before: known, after: { ...toRequest(value), ...into } }, signal),
    onRefused: ({ status }, by) => {
      if (!known) return;
      if (status === 404) setIsGone(true);
      if (status === 409 && by === 'save') setIsStale(true);
      if (status === 404 || status === 409) onChanged();
    },
    save: async () => {
      const body = toRequest(value);
      if (known) {
        const seen = isStale ? {} : { updatedAt: known.updatedAt };
        await http.put(`/api/knowledge/pairs/${encodeURIComponent(known.id)}`, { ...body, ...seen });
      } else await http.post('/api/knowledge/pairs', { ...body, ...into });
      draft.discard();
      toasts.show({ kind: 'success', text: t('pair.saved') });
      onChanged();
      onClose();
    },
  });
  const { step } = checked;
  const isBusy = step.status === 'checking' || step.status === 'saving';
  const isAsking = step.status === 'asking' || step.status === 'unchecked';
  const change = (part: Partial<PairText>) => draft.change({ ...pick(value), ...part });
  const save = () => {
    if (isBusy) return;
    setIsTried(true);
    if (faults.question) return question.current?.focus();
    if (faults.answer) return answer.current?.focus();
    void checked.begin();
  };

  return (
    <Dialog
      title={t(pair ? 'pair.edit' : 'pair.new')}
      closeLabel={t('close')}
      isBusy={step.status === 'saving'}
      onClose={onClose}
      foot={
        isAsking ? (
          <DialogActions
            cancelLabel={t('check.back')}
            onCancel={checked.back}
            label={t('check.goOn')}
            onAct={checked.goOn}
          />
        ) : (
          <DialogActions
            cancelLabel={t('cancel')}
            onCancel={onClose}
            label={t(
              step.status === 'checking'
                ? 'pair.checking'
                : step.status === 'saving'
                  ? 'pair.saving'
                  : isGone
                    ? 'pair.saveAsNew'
                    : 'pair.save',
            )}
            isBusy={step.status === 'saving'}
            isOff={isBusy}
            onAct={save}
          >
            {known ? (
              <Button
                look={`danger-quiet bare ${styles.delete}`}
                label={t('delete')}
                disabled={isBusy}
                onClick={onDelete}
              />
            ) : (
              <p className="note">{t('pair.kept')}</p>
            )}
          </DialogActions>
        )
      }
    >
      {step.status === 'asking' && <ChangedAnswers check={step.check} t={t} />}
      {step.status === 'unchecked' && <Fault>{t('check.failed', { message: step.message })}</Fault>}
      {!isAsking && (
        <>
          {draft.isRestored && (
            <p className={styles.restored} role="status">
              {t('pair.restored')}
              <Button look="small" label={t('pair.discard')} onClick={draft.discard} />
            </p>
          )}
          <TextField
            label={t('pair.question')}
            inputRef={question}
            rows={2}
            value={value.question}
            placeholder={t('pair.question.hint')}
            fault={isTried ? faults.question : ''}
            onText={(text) => change({ question: text })}
          />
          <VariantsField t={t} variants={value.variants} onChange={(variants) => change({ variants })} />
          <AnswerField
            inputRef={answer}
            t={t}
            value={value.answer}
            fault={isTried ? faults.answer : ''}
            onChange={(text) => change({ answer: text })}
          />
          {step.status === 'failed' && (
            <Fault>
              {isGone
                ? t('pair.gone')
                : isStale && step.failure.status === 409
                  ? t('pair.stale')
                  : step.failure.message}
            </Fault>
          )}
        </>
      )}
    </Dialog>
  );
}

/** A pair from the server has more fields than the form. */
function pick({ question, variants, answer }: PairText): PairText {
  return { question, variants, answer };
}
