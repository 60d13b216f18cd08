import { ActionDialog } from 'host/ui/dialog.tsx';
import { Fault } from 'host/ui/fault.tsx';
import { useTexts } from 'host/ui/screen.tsx';
import { knowledgeTexts } from '../../lib/texts.ts';
import { ChangedAnswers } from './changed-answers.tsx';
import type { SaveStep } from './use-checked-save.ts';

interface ChangedDialogProps {
  step: Extract<SaveStep, { status: 'asking' | 'unchecked' }>;
  onClose(): void;
  onGoOn(): void;
}

/** Asks for confirmation before saving an answer that changes others, or whose effect is unknown. */
export function ChangedDialog({ step, onClose, onGoOn }: ChangedDialogProps) {
  const t = useTexts(knowledgeTexts);
  return (
    <ActionDialog
      title={t('inbox.save')}
      onClose={onClose}
      cancelLabel={t('check.back')}
      action={t('check.goOn')}
      onAct={onGoOn}
    >
      {step.status === 'asking' ? (
        <ChangedAnswers check={step.check} />
      ) : (
        <Fault isQuiet>{t('check.failed', { message: step.message })}</Fault>
      )}
    </ActionDialog>
  );
}
