import type { KnowledgeSummary } from 'api/contract';
import type { ScreenProps } from 'host/contract';
import { useEffect, useMemo } from 'react';
import { createCalendar } from '../calendar.ts';
import { useAnswer } from '../filters/use-answer.ts';
import { Problem } from '../problem.tsx';
import { useGeneration } from '../use-generation.ts';
import { useTranslate } from '../use-translate.ts';
import styles from './knowledge.module.css';
import { KnowledgeDesk } from './knowledge-desk.tsx';
import { KnowledgeHead } from './knowledge-head.tsx';
import { knowledgeWords } from './knowledge-words.ts';

/**
 * /knowledge: what the desk answers from, documents and curated answers, for everyone signed in; editors change it, and answer what
 * found no answer. `?v=` names the part that is shown whole (`documents`, `pairs`, `inbox`), `?d=` the document that is open.
 */
export default function KnowledgeScreen({ services, language, controls }: ScreenProps) {
  const { i18n, http } = services;
  const t = useTranslate(i18n, knowledgeWords);
  const calendar = useMemo(() => createCalendar(language === 'zh' ? 'zh-CN' : 'en'), [language]);
  const generation = useGeneration(services);
  const summary = useAnswer(
    `summary ${generation}`,
    async (signal) => (await http.get<KnowledgeSummary>('/api/knowledge', { signal })).data,
  );
  const { retry, value } = summary;
  useEffect(() => {
    const lookAgain = () => {
      if (document.visibilityState === 'visible') retry();
    };
    document.addEventListener('visibilitychange', lookAgain);
    return () => document.removeEventListener('visibilitychange', lookAgain);
  }, [retry]);

  return (
    <main className={`page ${styles.page}`} id="main" tabIndex={-1}>
      {value ? (
        <KnowledgeDesk
          key={generation}
          {...{ services, language, calendar, t, controls, generation }}
          summary={value}
          onChanged={retry}
        />
      ) : (
        <>
          <KnowledgeHead t={t} controls={controls} />
          {summary.failure && !summary.isLoading ? (
            <Problem failure={summary.failure} title={t('failed')} t={t} onRetry={retry} />
          ) : (
            <div className={`bones ${styles.bones}`} role="status" aria-label={t('loading')}>
              {['third', 'half', 'third'].map((size, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: bones have nothing else to be known by
                <div key={index}>
                  <span className="bone" />
                  <span className={`bone ${size}`} />
                  <span className="bone full" />
                  <span className="bone most" />
                </div>
              ))}
            </div>
          )}
        </>
      )}
    </main>
  );
}
