import type { KnowledgePair } from 'api/contract/knowledge';
import type { HostServices, Translate } from 'host/contract';
import { Dialog } from 'host/ui/dialog.tsx';
import { Icon } from 'host/ui/icon.tsx';
import { useHold } from 'host/ui/use-hold.ts';
import { useEffect, useId, useRef, useState } from 'react';
import { useDraft } from '../lib/use-draft.ts';
import { AnswerField } from './answer-field.tsx';
import { ChangedAnswers } from './changed-answers.tsx';
import { checkPair } from './check-pair.ts';
import type { KnowledgeTexts } from './knowledge-texts.ts';
import {
  EMPTY_PAIR,
  faultOf,
  MAX_ANSWER,
  MAX_QUESTION,
  type PairText,
  pairDraftKey,
  toRequest,
} from './pair-request.ts';
import styles from './pairs.module.css';
import { useCheckedSave } from './use-checked-save.ts';
import { VariantsField } from './variants-field.tsx';

interface PairDialogProps {
  services: Pick<HostServices, 'http' | 'storage' | 'toasts' | 'updates'>;
  t: Translate<KnowledgeTexts>;
  /** null for a new one. */
  pair: KnowledgePair | null;
  onClose(): void;
  onChanged(): void;
  /** Asks for confirmation to delete it. */
  onDelete(): void;
}

/** Edits a curated question with its wordings and answer. Before saving it shows which other questions would be answered differently. */
export function PairDialog({ services, t, pair, onClose, onChanged, onDelete }: PairDialogProps) {
  const { http, storage, toasts, updates } = services;
  const questionId = useId();
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
  const faults = {
    question: faultOf(value.question, MAX_QUESTION, 'pair.missing.question', t),
    answer: faultOf(value.answer, MAX_ANSWER, 'pair.missing.answer', t),
  };

  const checked = useCheckedSave({
    check: (signal) => checkPair(http, { before: known, after: toRequest(value) }, signal),
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
      } else await http.post('/api/knowledge/pairs', body);
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
          <>
            <button className="button" type="button" onClick={checked.back}>
              {t('check.back')}
            </button>
            <button className="button primary" type="button" onClick={checked.goOn}>
              {t('check.goOn')}
            </button>
          </>
        ) : (
          <>
            {known ? (
              <button
                className={`button danger-quiet bare ${styles.delete}`}
                type="button"
                disabled={isBusy}
                onClick={onDelete}
              >
                {t('delete')}
              </button>
            ) : (
              <p className="note">{t('pair.kept')}</p>
            )}
            <button className="button" type="button" disabled={step.status === 'saving'} onClick={onClose}>
              {t('cancel')}
            </button>
            <button className="button primary" type="button" aria-disabled={isBusy} onClick={save}>
              {t(
                step.status === 'checking'
                  ? 'pair.checking'
                  : step.status === 'saving'
                    ? 'pair.saving'
                    : isGone
                      ? 'pair.saveAsNew'
                      : 'pair.save',
              )}
            </button>
          </>
        )
      }
    >
      {step.status === 'asking' && <ChangedAnswers check={step.check} t={t} />}
      {step.status === 'unchecked' && (
        <p className="field-note error" role="alert">
          <Icon name="alert" />
          {t('check.failed', { message: step.message })}
        </p>
      )}
      {!isAsking && (
        <>
          {draft.isRestored && (
            <p className={styles.restored} role="status">
              {t('pair.restored')}
              <button className="button small" type="button" onClick={draft.discard}>
                {t('pair.discard')}
              </button>
            </p>
          )}
          <div className="field">
            <label htmlFor={questionId}>{t('pair.question')}</label>
            <textarea
              ref={question}
              className="input"
              dir="auto"
              id={questionId}
              rows={2}
              value={value.question}
              placeholder={t('pair.question.hint')}
              aria-invalid={(isTried && faults.question !== '') || undefined}
              aria-describedby={isTried && faults.question ? `${questionId}-note` : undefined}
              onChange={({ target }) => change({ question: target.value })}
            />
            {isTried && faults.question && (
              <p className="field-note error" id={`${questionId}-note`}>
                <Icon name="alert" />
                {faults.question}
              </p>
            )}
          </div>
          <VariantsField t={t} variants={value.variants} onChange={(variants) => change({ variants })} />
          <AnswerField
            inputRef={answer}
            t={t}
            value={value.answer}
            fault={isTried ? faults.answer : ''}
            onChange={(text) => change({ answer: text })}
          />
          {step.status === 'failed' && (
            <p className="field-note error" role="alert">
              <Icon name="alert" />
              {isGone
                ? t('pair.gone')
                : isStale && step.failure.status === 409
                  ? t('pair.stale')
                  : step.failure.message}
            </p>
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
