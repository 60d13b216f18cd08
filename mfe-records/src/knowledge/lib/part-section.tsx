import { useTexts } from 'host/ui/screen.tsx';
import { Section } from 'host/ui/section.tsx';
import { type ReactNode, useEffect, useRef } from 'react';
import { Link, useLocation, useSearchParams } from 'react-router-dom';
import { knowledgeTexts } from '../../lib/texts.ts';
import { partAddress } from './use-knowledge-lists.ts';

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
