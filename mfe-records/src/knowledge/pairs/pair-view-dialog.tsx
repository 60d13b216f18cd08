import type { KnowledgePair } from 'api/contract/knowledge';
import type { Translate } from 'host/contract';
import { Dialog } from 'host/ui/dialog.tsx';
import { SavedAnswer } from '../../lib/saved-answer.tsx';
import type { KnowledgeTexts } from '../lib/knowledge-texts.ts';
import styles from './pairs.module.css';

interface PairViewDialogProps {
  t: Translate<KnowledgeTexts>;
  pair: KnowledgePair;
  onClose(): void;
}

/** Shows a curated answer to readers without permission to change it. */
export function PairViewDialog({ t, pair, onClose }: PairViewDialogProps) {
  return (
    <Dialog title={pair.question} closeLabel={t('close')} onClose={onClose}>
      {pair.isHandbook && <p className="quiet">{t('handbook')}</p>}
      <SavedAnswer markdown={pair.answer} t={t} />
      {pair.variants.length > 0 && (
        <section className={styles.wordings} aria-label={t('pair.variants')}>
          <h3 className="mb-s1 type-small strong ink-2">{t('pair.variants')}</h3>
          <ul>
            {pair.variants.map((variant) => (
              <li key={variant}>{variant}</li>
            ))}
          </ul>
        </section>
      )}
    </Dialog>
  );
}
