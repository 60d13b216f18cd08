import type { KnowledgeSummary } from 'api/contract/knowledge';
import type { ScreenProps } from 'host/contract';
import { useTexts } from 'host/ui/screen.tsx';
import { FirstRead } from '../lib/load-problem.tsx';
import { ScreenRoot } from '../lib/screen-root.tsx';
import { useRead } from '../lib/services.ts';
import { knowledgeTexts } from '../lib/texts.ts';
import { KnowledgeContent } from './knowledge-content.tsx';
import { KnowledgeHead } from './knowledge-head.tsx';
import styles from './lib/knowledge.module.css';

export const texts = [knowledgeTexts];

/**
 * /knowledge: documents and curated answers, for all signed-in users. Editors can change them and answer unanswered questions. `?v=`
 * selects one part (`documents`, `pairs`, `inbox`), `?d=` an open document.
 */
export default function KnowledgeScreen({ services, controls }: ScreenProps) {
  return (
    <ScreenRoot services={services} controls={controls} className={styles.page}>
      <Knowledge />
    </ScreenRoot>
  );
}

function Knowledge() {
  const t = useTexts(knowledgeTexts);
  const query = useRead<KnowledgeSummary>('/api/knowledge', {
    queryKey: ['knowledge', 'summary'],
    staleTime: 0,
  });
  if (query.data) return <KnowledgeContent summary={query.data} />;
  return (
    <>
      <KnowledgeHead />
      <FirstRead
        query={query}
        title={t('failed')}
        className="pad-s6"
        label={t('loading')}
        lines={['third', 'full', 'most', 'half', 'full', 'most']}
      />
    </>
  );
}
