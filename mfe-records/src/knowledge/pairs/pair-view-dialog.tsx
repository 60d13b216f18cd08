import type { KnowledgePair } from 'api/contract/knowledge';
import { Dialog } from 'host/ui/dialog.tsx';
import { useTexts } from 'host/ui/screen.tsx';
import { SavedAnswer } from '../../lib/saved-answer.tsx';
import { knowledgeTexts } from '../../lib/texts.ts';

/** Shows a curated answer to readers without permission to change it. */
export function PairViewDialog({ pair, onClose }: { pair: KnowledgePair; onClose(): void }) {
  const t = useTexts(knowledgeTexts);
  return (
    <Dialog title={pair.question} onClose={onClose}>
      {pair.isHandbook && <p className="quiet">{t('handbook')}</p>}
      <SavedAnswer markdown={pair.answer} />
      {pair.variants.length > 0 && (
        <section aria-label={t('pair.variants')}>
          <h3 className="mb-s1 type-small strong ink-2">{t('pair.variants')}</h3>
          <ul className="stack type-small">
            {pair.variants.map((variant) => (
              <li key={variant}>{variant}</li>
            ))}
          </ul>
        </section>
      )}
    </Dialog>
  );
}
