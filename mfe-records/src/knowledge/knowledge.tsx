import { useQuery } from '@tanstack/react-query';
import type { KnowledgeSummary } from 'api/contract/knowledge';
import type { ScreenProps } from 'host/contract';
import { createDateFormats } from 'host/ui/format-date.ts';
import { useTranslate } from 'host/ui/use-translate.ts';
import { useMemo } from 'react';
import { LoadProblem } from '../lib/load-problem.tsx';
import { ScreenRoot } from '../lib/screen-root.tsx';
import { KnowledgeContent } from './knowledge-content.tsx';
import { KnowledgeHead } from './knowledge-head.tsx';
import styles from './lib/knowledge.module.css';
import { knowledgeTexts } from './lib/knowledge-texts.ts';

export const texts = [knowledgeTexts];

/**
 * /knowledge: documents and curated answers, for all signed-in users. Editors can change them and answer unanswered questions. `?v=`
 * selects one part (`documents`, `pairs`, `inbox`), `?d=` an open document.
 */
export default function KnowledgeScreen({ services, language, controls }: ScreenProps) {
  return (
    <main className={`page ${styles.page}`} id="main" tabIndex={-1}>
      <ScreenRoot services={services}>
        <Knowledge services={services} language={language} controls={controls} />
      </ScreenRoot>
    </main>
  );
}

function Knowledge({
  services,
  language,
  controls,
}: Pick<ScreenProps, 'services' | 'language' | 'controls'>) {
  const { i18n, http } = services;
  const t = useTranslate(i18n, knowledgeTexts);
  const calendar = useMemo(() => createDateFormats(language), [language]);
  const { data, error, refetch } = useQuery({
    queryKey: ['knowledge', 'summary'],
    staleTime: 0,
    queryFn: async ({ signal }) => (await http.get<KnowledgeSummary>('/api/knowledge', { signal })).data,
  });
  if (data) return <KnowledgeContent {...{ services, language, calendar, t, controls }} summary={data} />;
  return (
    <>
      <KnowledgeHead t={t} controls={controls} />
      {error ? (
        <LoadProblem failure={error} title={t('failed')} t={t} onRetry={() => void refetch()} />
      ) : (
        <div className={`skeleton late ${styles.skeleton}`} role="status" aria-label={t('loading')}>
          {['third', 'half', 'third'].map((size, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no other identity
            <div key={index}>
              <span className="skeleton-line" />
              <span className={`skeleton-line ${size}`} />
              <span className="skeleton-line full" />
              <span className="skeleton-line most" />
            </div>
          ))}
        </div>
      )}
    </>
  );
}
