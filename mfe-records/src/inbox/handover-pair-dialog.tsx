import type { Handover, InboxDetail } from 'api/contract/handover';
import { useTexts } from 'host/ui/screen.tsx';
import { useCheckedSave } from '../knowledge/changes/use-checked-save.ts';
import { checkAnswer, toRequest } from '../knowledge/pairs/check-pair.ts';
import { PairForm } from '../knowledge/pairs/pair-form.tsx';
import { useDesk } from '../lib/services.ts';
import { inboxTexts, knowledgeTexts } from '../lib/texts.ts';
import { useDraft } from '../lib/use-draft.ts';

interface HandoverPairDialogProps {
  handover: Handover;
  onClose(): void;
  onSaved(detail: InboxDetail): Promise<void>;
}

/**
 * Saves a request as a curated answer: its question, and the editors' replies as the answer. Before saving it shows which other questions
 * would be answered differently.
 */
export function HandoverPairDialog({ handover, onClose, onSaved }: HandoverPairDialogProps) {
  const { t, http, storage, toasts } = useDesk(inboxTexts);
  const tk = useTexts(knowledgeTexts);
  const draft = useDraft(storage, `inbox/pair/${handover.id}`, {
    question: handover.question,
    answer: repliesOf(handover),
  });
  const { value } = draft;
  const request = () => toRequest({ ...value, variants: [] });
  const checked = useCheckedSave({
    subject: JSON.stringify(value),
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

  return (
    <PairForm
      title={t('pair.make')}
      value={value}
      isChanged={draft.isChanged}
      onChange={(part) => draft.change({ ...value, ...part })}
      first="answer"
      checked={checked}
      fault=""
      onClose={onClose}
      aside={() => <p className="note">{tk('pair.kept')}</p>}
    />
  );
}

function repliesOf({ messages }: Handover): string {
  return messages
    .filter(({ from }) => from === 'agent')
    .map(({ text }) => text)
    .join('\n\n');
}
