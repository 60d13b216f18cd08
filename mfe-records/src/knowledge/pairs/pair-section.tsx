import type { KnowledgePair } from 'api/contract/knowledge';
import { Button } from 'host/ui/button.tsx';
import { grouped } from 'host/ui/grouped.ts';
import { Icon } from 'host/ui/icon.tsx';
import { useTexts } from 'host/ui/screen.tsx';
import { plainExcerpt } from '../../lib/plain-excerpt.ts';
import { knowledgeTexts } from '../../lib/texts.ts';
import { ListSection } from '../lib/list-section.tsx';
import type { KnowledgeLists } from '../lib/use-knowledge-lists.ts';
import styles from './pairs.module.css';

interface PairSectionProps {
  pairs: KnowledgeLists['pairs'];
  isWhole: boolean;
  isNarrow: boolean;
  /** Whether the visitor may add pairs. */
  isEditor: boolean;
  mayEdit(pair: KnowledgePair): boolean;
  /** Opens a pair to change it, or to read it without permission. */
  onOpen(pair: KnowledgePair): void;
  onNew(): void;
}

const FEW = 4;

/** Curated questions with their answers; pressing one opens it. */
export function PairSection(props: PairSectionProps) {
  const t = useTexts(knowledgeTexts);
  const { pairs, isWhole, isNarrow, isEditor, mayEdit, onOpen, onNew } = props;
  const { list } = pairs;
  const shown = isWhole ? list.items : list.items.slice(0, FEW);
  const isBare = isEditor && list.hasBegun && list.items.length === 0 && !pairs.query.trim();
  return (
    <ListSection
      part="pairs"
      of={pairs}
      count={t('pairs.count', { count: grouped(list.total) })}
      {...{ isWhole, isNarrow }}
      empty={{
        about: t(isEditor ? 'pairs.empty.about' : 'pairs.empty.reader'),
        action: isBare && <Button label={t('pair.new')} onClick={onNew} />,
      }}
    >
      {shown.length > 0 && (
        <ul className="ruled rule-above rule-below" data-behind={list.isBehind || undefined}>
          {shown.map((pair) => {
            const canChange = mayEdit(pair) && !pair.isHandbook;
            return (
              <li key={pair.id}>
                <button className={`unboxed ${styles.open}`} type="button" onClick={() => onOpen(pair)}>
                  <b className="clip" dir="auto">
                    {pair.question}
                  </b>
                  <span className="type-small ink-2 clip" dir="auto">
                    {plainExcerpt(pair.answer)}
                  </span>
                  <span className={styles.end}>
                    {pair.isHandbook && <span className={styles.mark}>{t('handbook')}</span>}
                    <span className="num">{t('pair.hits', { count: pair.hits })}</span>
                    {canChange && <span className="sr">{t('pair.edit')}</span>}
                    <Icon name={canChange ? 'pencil' : 'chevron'} className={canChange ? '' : 'right'} />
                  </span>
                </button>
              </li>
            );
          })}
        </ul>
      )}
    </ListSection>
  );
}
