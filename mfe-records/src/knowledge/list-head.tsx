import type { Translate } from 'host/contract';
import { Icon } from 'host/ui/icon.tsx';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router-dom';
import styles from './knowledge.module.css';
import type { KnowledgeTexts } from './knowledge-texts.ts';
import type { SearchedList } from './use-knowledge-lists.ts';
import { partAddress } from './view.ts';

interface ListHeadProps {
  part: 'documents' | 'pairs';
  count: string;
  t: Translate<KnowledgeTexts>;
  isWhole: boolean;
  isNarrow: boolean;
  /** There is nothing to show on a separate page. */
  isEmpty: boolean;
  params: URLSearchParams;
  search: Pick<SearchedList<unknown>, 'query' | 'setQuery'>;
}

/** Header of a list: name, count, link to all of it and back, and a search field when it is shown alone. */
export function ListHead({ part, count, t, isWhole, isNarrow, isEmpty, params, search }: ListHeadProps) {
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
        <label className={`search ${styles.search}`}>
          <span className="sr">{t(`${part}.search`)}</span>
          <Icon name="search" />
          <input
            className="input"
            type="search"
            value={search.query}
            placeholder={t(`${part}.search`)}
            onChange={({ target }) => search.setQuery(target.value)}
          />
        </label>
      )}
    </>
  );
}
