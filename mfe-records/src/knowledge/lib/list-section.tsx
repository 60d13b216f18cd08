import { EmptyState } from 'host/ui/problem.tsx';
import { useTexts } from 'host/ui/screen.tsx';
import { SearchField } from 'host/ui/search-field.tsx';
import { Section } from 'host/ui/section.tsx';
import { type ReactNode, useEffect, useRef } from 'react';
import { Link, useLocation, useSearchParams } from 'react-router-dom';
import { knowledgeTexts } from '../../lib/texts.ts';
import { ListRest } from '../../lib/use-paged-list.tsx';
import styles from './knowledge.module.css';
import { type KnowledgeLists, partAddress } from './use-knowledge-lists.ts';

interface ListSectionProps {
  part: 'documents' | 'pairs';
  of: KnowledgeLists['documents'] | KnowledgeLists['pairs'];
  /** Text for the number of entries. */
  count: string;
  /** Shows all entries with a search field; otherwise the first few. */
  isWhole: boolean;
  isNarrow: boolean;
  /** Says why the list is empty; null shows nothing below the list. */
  empty: { about: string; action?: ReactNode } | null;
  /** The entries. */
  children: ReactNode;
}

/**
 * A list of /knowledge. Its header has a link to all of it and back, and a search field when it is shown alone. Below the entries it shows a
 * button for more, an empty state, or a failure.
 */
export function ListSection({ part, of, count, isWhole, isNarrow, empty, children }: ListSectionProps) {
  const t = useTexts(knowledgeTexts);
  const [params] = useSearchParams();
  const { list, setQuery } = of;
  const query = of.query.trim();
  const isSearch = isWhole && query !== '';
  const heading = useRef<HTMLHeadingElement>(null);
  const before = useRef(isWhole);
  useEffect(() => {
    // The pressed link has disappeared: the focus moves to the heading.
    if (before.current !== isWhole && document.activeElement === document.body) heading.current?.focus();
    before.current = isWhole;
  }, [isWhole]);
  return (
    <section className="section" aria-label={t(part)}>
      <div className="section-head">
        <h2 ref={heading} tabIndex={-1}>
          {t(part)}
        </h2>
        <span className="quiet num">{list.hasBegun && list.total > 0 && count}</span>
        {!isNarrow && (isWhole || !list.hasBegun || list.total > 0) && (
          <Link className="end" to={{ search: `?${partAddress(params, isWhole ? null : part)}` }}>
            {isWhole ? t('overview') : t(`${part}.all`)}
          </Link>
        )}
      </div>
      {isWhole && (
        <SearchField
          className={`mb-s4 ${styles.search}`}
          label={t(`${part}.search`)}
          value={of.query}
          onText={setQuery}
        />
      )}
      {children}
      {empty && (
        <ListRest
          list={list}
          title={t(`${part}.failed`)}
          more={isWhole ? t(`${part}.more`) : undefined}
          className="gap-s6 mt-s4"
          label={t('loading')}
          lines={['half', 'most', 'half']}
        >
          <EmptyState
            role="status"
            level={3}
            title={isSearch ? t('documents.none', { query }) : t(`${part}.empty`)}
            about={isSearch ? t('documents.none.about') : empty.about}
          >
            {empty.action}
          </EmptyState>
        </ListRest>
      )}
    </section>
  );
}

interface PartSectionProps {
  title: string;
  /** The number of entries. */
  count: ReactNode;
  children: ReactNode;
}

/** A part of /knowledge that is shown alone. Its heading gets the focus if it was opened from another part, whose link is gone. */
export function PartSection({ title, count, children }: PartSectionProps) {
  const t = useTexts(knowledgeTexts);
  const [params] = useSearchParams();
  const heading = useRef<HTMLHeadingElement>(null);
  const isFirstPage = useLocation().key === 'default';
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when it appears
  useEffect(() => {
    if (!isFirstPage) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <Section
      title={title}
      titleRef={heading}
      aside={
        <>
          <span className="quiet num">{count}</span>
          <Link className="end" to={{ search: `?${partAddress(params, null)}` }}>
            {t('overview')}
          </Link>
        </>
      }
    >
      {children}
    </Section>
  );
}
