import type { ReactNode } from 'react';
import { nearestHeading } from './cited-place.ts';
import styles from './folded-rest.module.css';
import { Icon } from './icon.tsx';

/** The fields of a citation that are used here. */
interface FoldedRestProps {
  citations: readonly { title: string; place?: string; restOfSection?: string; restOfRow?: string }[];
  sectionLabel: string;
  rowLabel: string;
  /** Renders Markdown. */
  children(markdown: string): ReactNode;
}

/** What an answer left out of quoted sections and table rows, in closed details elements. Several of them name their section. */
export function FoldedRest({ citations, sectionLabel, rowLabel, children }: FoldedRestProps) {
  const folds = citations.flatMap(({ title, place, restOfSection, restOfRow }) => [
    ...(restOfRow ? [{ label: rowLabel, of: '', text: restOfRow }] : []),
    ...(restOfSection
      ? [{ label: sectionLabel, of: nearestHeading(place) || title, text: restOfSection }]
      : []),
  ]);
  const sections = folds.filter(({ of }) => of !== '');
  return folds.map(({ label, of, text }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: folds have no other identity
    <details key={index} className={`mt-s2 ${styles.fold}`}>
      <summary>
        <Icon name="chevron" isSmall />
        {label}
        {of !== '' && sections.length > 1 && <bdi>{of}</bdi>}
      </summary>
      {children(text)}
    </details>
  ));
}
