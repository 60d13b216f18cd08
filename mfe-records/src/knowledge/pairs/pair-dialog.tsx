import type { KnowledgePair } from 'api/contract/knowledge';
import { Button } from 'host/ui/button.tsx';
import { useState } from 'react';
import shared from '../../lib/dialog-parts.module.css';
import { useDesk } from '../../lib/services.ts';
import { knowledgeTexts } from '../../lib/texts.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { useCheckedSave } from '../changes/use-checked-save.ts';
import type { DialogContext } from '../lib/dialog-context.ts';
import { checkPair, EMPTY_PAIR, type PairText, pairDraftKey, toRequest } from './check-pair.ts';
import { PairForm } from './pair-form.tsx';
import styles from './pairs.module.css';
import { VariantsField } from './variants-field.tsx';

export interface PairDialogProps extends Pick<DialogContext, 'collection' | 'onClose' | 'onChanged'> {
  /** The pair; null for a new one. */
  pair: KnowledgePair | null;
  /** Opens the dialog that confirms the deletion. */
  onDelete(): void;
}

/** Edits a curated question with its wordings and answer. Before saving it shows which other questions would be answered differently. */
export function PairDialog({ pair, collection, onClose, onChanged, onDelete }: PairDialogProps) {
  const { t, http, storage, toasts } = useDesk(knowledgeTexts);
  const draft = useDraft(storage, pairDraftKey(pair?.id ?? null), pair ? pick(pair) : EMPTY_PAIR);
  const { value } = draft;
  /** Whether the pair was deleted meanwhile and can only be saved as a new one. */
  const [isGone, setIsGone] = useState(false);
  /** Whether somebody else has changed the pair meanwhile; saving again overwrites that. */
  const [isStale, setIsStale] = useState(false);
  const known = isGone ? null : pair;
  const into = !known && collection ? { collectionId: pair?.collectionId ?? collection } : {};

  const checked = useCheckedSave({
    subject: JSON.stringify(value),
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
  const isOverwriting = isStale && step.status === 'failed' && step.failure.status === 409;
  const change = (part: Partial<PairText>) => draft.change({ ...pick(value), ...part });

  return (
    <PairForm
      title={t(pair ? 'pair.edit' : 'pair.new')}
      value={value}
      isChanged={draft.isChanged}
      onChange={change}
      first="question"
      checked={checked}
      saveLabel={t(isGone ? 'pair.saveAsNew' : 'save')}
      fault={isGone ? t('pair.gone') : isOverwriting ? t('pair.stale') : ''}
      onClose={onClose}
      aside={(isBusy) =>
        known ? (
          <Button
            look={`danger-quiet bare ${shared.otherAction}`}
            label={t('delete')}
            disabled={isBusy}
            onClick={onDelete}
          />
        ) : (
          <p className="note">{t('pair.kept')}</p>
        )
      }
      above={
        draft.isRestored && (
          <p className={styles.restored} role="status">
            {t('pair.restored')}
            <Button look="small" label={t('pair.discard')} onClick={draft.discard} />
          </p>
        )
      }
      variants={<VariantsField variants={value.variants} onChange={(variants) => change({ variants })} />}
    />
  );
}

/** A pair from the server has more fields than the form. */
function pick({ question, variants, answer }: PairText): PairText {
  return { question, variants, answer };
}
