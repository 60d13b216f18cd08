import type { Translate } from 'host/contract';
import { Dialog } from 'host/ui/dialog.tsx';
import { Icon } from 'host/ui/icon.tsx';
import { ChangedAnswers } from './changed-answers.tsx';
import type { KnowledgeTexts } from './knowledge-texts.ts';
import type { SaveStep } from './use-checked-save.ts';

interface ChangedDialogProps {
  t: Translate<KnowledgeTexts>;
  step: Extract<SaveStep, { status: 'asking' | 'unchecked' }>;
  onBack(): void;
  onGoOn(): void;
}

/** Asks for confirmation before saving an answer that changes others, or whose effect is unknown. */
export function ChangedDialog({ t, step, onBack, onGoOn }: ChangedDialogProps) {
  return (
    <Dialog
      title={t('inbox.save')}
      closeLabel={t('close')}
      onClose={onBack}
      foot={
        <>
          <button className="button" type="button" onClick={onBack}>
            {t('check.back')}
          </button>
          <button className="button primary" type="button" onClick={onGoOn}>
            {t('check.goOn')}
          </button>
        </>
      }
    >
      {step.status === 'asking' ? (
        <ChangedAnswers check={step.check} t={t} />
      ) : (
        <p className="field-note error">
          <Icon name="alert" />
          {t('check.failed', { message: step.message })}
        </p>
      )}
    </Dialog>
  );
}
