import { EmptyState } from 'host/ui/problem.tsx';
import { useTexts } from 'host/ui/screen.tsx';
import { SearchField } from 'host/ui/search-field.tsx';
import { type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'react-router-dom';
import { ListRest } from '../../lib/list-rest.tsx';
import { knowledgeTexts } from '../../lib/texts.ts';
import type { ShownList } from '../../lib/use-paged-list.ts';
import styles from './knowledge.module.css';
import { type KnowledgeLists, partAddress } from './use-knowledge-lists.ts';

interface ListHeadProps {
  part: 'documents' | 'pairs';
  count: string;
  isWhole: boolean;
  isNarrow: boolean;
  /** Whether the list is empty; then there is no link to all of it. */
  isEmpty: boolean;
  params: URLSearchParams;
  search: Pick<KnowledgeLists['documents'], 'query' | 'setQuery'>;
}

/** Header of a list: name, count, link to all of it and back, and a search field when it is shown alone. */
export function ListHead({ part, count, isWhole, isNarrow, isEmpty, params, search }: ListHeadProps) {
  const t = useTexts(knowledgeTexts);
  const heading = useRef<HTMLHeadingElement>(null);
  const before = useRef(isWhole);
  useEffect(() => {
    // The pressed link has disappeared: the focus moves to the heading.
    if (before.current !== isWhole && document.activeElement === document.body) heading.current?.focus();
    before.current = isWhole;
  }, [isWhole]);
  return (
    <>
      <div className="section-head">
        <h2 ref={heading} tabIndex={-1}>
          {t(part)}
        </h2>
        <span className="quiet num">{count}</span>
        {!isNarrow && (isWhole || !isEmpty) && (
          <Link className="end" to={{ search: `?${partAddress(params, isWhole ? null : part)}` }}>
            {isWhole ? t('overview') : t(`${part}.all`)}
          </Link>
        )}
      </div>
      {isWhole && (
        <SearchField
          className={`mb-s4 ${styles.search}`}
          label={t(`${part}.search`)}
          value={search.query}
          onText={search.setQuery}
        />
      )}
    </>
  );
}

interface ListEndProps {
  list: ShownList;
  isWhole: boolean;
  query: string;
  title: string;
  more: string;
  empty: { title: string; about: string; action?: ReactNode };
}

/** The end of a list: more items, an empty state, or a failure. */
export function ListEnd({ list, isWhole, query, title, more, empty }: ListEndProps) {
  const t = useTexts(knowledgeTexts);
  const isSearch = isWhole && query.trim() !== '';
  return (
    <ListRest
      list={list}
      title={title}
      more={isWhole ? more : undefined}
      className="gap-s6 mt-s4"
      label={t('loading')}
      lines={['half', 'most', 'half']}
    >
      <EmptyState
        role="status"
        level={3}
        title={isSearch ? t('documents.none', { query: query.trim() }) : empty.title}
        about={isSearch ? t('documents.none.about') : empty.about}
      >
        {empty.action}
      </EmptyState>
    </ListRest>
  );
}
