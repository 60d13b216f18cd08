import type { Translate } from 'host/contract';
import { ActionDialog } from 'host/ui/dialog.tsx';
import { Fault } from 'host/ui/fault.tsx';
import type { KnowledgeTexts } from '../lib/knowledge-texts.ts';
import { ChangedAnswers } from './changed-answers.tsx';
import type { SaveStep } from './use-checked-save.ts';

interface ChangedDialogProps {
  t: Translate<KnowledgeTexts>;
  step: Extract<SaveStep, { status: 'asking' | 'unchecked' }>;
  onClose(): void;
  onGoOn(): void;
}

/** Asks for confirmation before saving an answer that changes others, or whose effect is unknown. */
export function ChangedDialog({ t, step, onClose, onGoOn }: ChangedDialogProps) {
  return (
    <ActionDialog
      title={t('inbox.save')}
      closeLabel={t('close')}
      onClose={onClose}
      cancelLabel={t('check.back')}
      action={t('check.goOn')}
      onAct={onGoOn}
    >
      {step.status === 'asking' ? (
        <ChangedAnswers check={step.check} t={t} />
      ) : (
        <Fault isQuiet>{t('check.failed', { message: step.message })}</Fault>
      )}
    </ActionDialog>
  );
}
