import { Dialog, DialogActions } from 'host/ui/dialog.tsx';
import { Fault } from 'host/ui/fault.tsx';
import { Icon } from 'host/ui/icon.tsx';
import { useTexts } from 'host/ui/screen.tsx';
import { Segments } from 'host/ui/segments.tsx';
import { TextField } from 'host/ui/text-field.tsx';
import { useHold } from 'host/ui/use-hold.ts';
import { type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { SavedAnswer } from '../../lib/saved-answer.tsx';
import { useServices } from '../../lib/services.ts';
import { knowledgeTexts } from '../../lib/texts.ts';
import { ChangedAnswers } from '../changes/changed-answers.tsx';
import type { useCheckedSave } from '../changes/use-checked-save.ts';
import { faultOf, MAX_ANSWER, MAX_QUESTION, type PairText } from './check-pair.ts';
import styles from './pairs.module.css';

interface PairFormProps {
  title: string;
  value: Pick<PairText, 'question' | 'answer'>;
  /** Whether the fields differ from the stored text; then the hint of a new version is hidden. */
  isChanged: boolean;
  onChange(part: Partial<Pick<PairText, 'question' | 'answer'>>): void;
  /** The field that has the focus at first. */
  first: keyof PairFormProps['value'];
  checked: ReturnType<typeof useCheckedSave>;
  /** Label of the save button, unless it is busy. */
  saveLabel?: string;
  /** Why the pair was not saved. */
  fault: string;
  onClose(): void;
  /** Shown beside the buttons. */
  aside(isBusy: boolean): ReactNode;
  above?: ReactNode;
  /** Shown between question and answer. */
  variants?: ReactNode;
}

/** A dialog with the question and answer of a pair. Before saving it shows which other questions would be answered differently. */
export function PairForm(props: PairFormProps) {
  const t = useTexts(knowledgeTexts);
  const { value, isChanged, onChange, first, checked, onClose, saveLabel = t('save') } = props;
  const fields = { question: useRef<HTMLTextAreaElement>(null), answer: useRef<HTMLTextAreaElement>(null) };
  const [isTried, setIsTried] = useState(false);
  useHold(useServices().updates, isChanged);
  // The dialog itself would focus its close button.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only at first
  useEffect(() => fields[first].current?.focus(), []);
  const faults = {
    question: faultOf(value.question, MAX_QUESTION, 'pair.missing.question', t),
    answer: faultOf(value.answer, MAX_ANSWER, 'pair.missing.answer', t),
  };
  const { step } = checked;
  const isBusy = step.status === 'checking' || step.status === 'saving';
  const isAsking = step.status === 'asking' || step.status === 'unchecked';
  const save = () => {
    if (isBusy) return;
    setIsTried(true);
    if (faults.question) return fields.question.current?.focus();
    if (faults.answer) return fields.answer.current?.focus();
    void checked.begin();
  };
  const busyLabels: Partial<Record<typeof step.status, string>> = {
    checking: t('pair.checking'),
    saving: t('saving'),
  };

  return (
    <Dialog
      title={props.title}
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
            onCancel={onClose}
            label={busyLabels[step.status] ?? saveLabel}
            isBusy={step.status === 'saving'}
            isOff={isBusy}
            onAct={save}
          >
            {props.aside(isBusy)}
          </DialogActions>
        )
      }
    >
      {step.status === 'asking' && <ChangedAnswers check={step.check} />}
      {step.status === 'unchecked' && <Fault>{t('check.failed', { message: step.message })}</Fault>}
      {!isAsking && (
        <>
          {props.above}
          <TextField
            label={t('pair.question')}
            inputRef={fields.question}
            rows={2}
            value={value.question}
            placeholder={t('pair.question.hint')}
            fault={isTried ? faults.question : ''}
            onText={(question) => onChange({ question })}
          />
          {props.variants}
          <AnswerField
            inputRef={fields.answer}
            value={value.answer}
            fault={isTried ? faults.answer : ''}
            onChange={(answer) => onChange({ answer })}
          />
          {step.status === 'failed' && <Fault>{props.fault || step.failure.message}</Fault>}
        </>
      )}
    </Dialog>
  );
}

interface AnswerFieldProps {
  inputRef: RefObject<HTMLTextAreaElement | null>;
  value: string;
  /** Why the text cannot be saved; '' if it can. */
  fault: string;
  onChange(value: string): void;
}

function AnswerField({ inputRef, value, fault, onChange }: AnswerFieldProps) {
  const t = useTexts(knowledgeTexts);
  const id = useId();
  const [mode, setMode] = useState<'write' | 'preview'>('write');
  return (
    <div className="field">
      <div className="line spread">
        <label htmlFor={id}>{t('pair.answer')}</label>
        <Segments<'write' | 'preview'>
          label={t('pair.mode')}
          value={mode}
          choices={[
            { value: 'write', label: t('pair.write') },
            { value: 'preview', label: t('pair.preview') },
          ]}
          onChange={setMode}
        />
      </div>
      <textarea
        ref={inputRef}
        className="input"
        dir="auto"
        id={id}
        rows={8}
        hidden={mode === 'preview'}
        value={value}
        aria-invalid={fault !== '' || undefined}
        aria-describedby={`${id}-note`}
        onChange={({ target }) => onChange(target.value)}
      />
      {mode === 'preview' && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: allows scrolling by keyboard
        <section className={styles.preview} aria-label={t('pair.preview')} tabIndex={0}>
          {value.trim() ? (
            <SavedAnswer markdown={value} />
          ) : (
            <p className="quiet">{t('pair.preview.none')}</p>
          )}
        </section>
      )}
      <p className={`field-note ${fault ? 'error' : ''}`} id={`${id}-note`}>
        {fault && <Icon name="alert" />}
        {fault || t('pair.answer.about')}
      </p>
    </div>
  );
}
