import { type ReactNode, type RefObject, useId } from 'react';

interface SectionProps {
  title: ReactNode;
  /** Reference to the title, to move the focus there. */
  titleRef?: RefObject<HTMLHeadingElement | null>;
  /** Shown beside the title. */
  aside?: ReactNode;
  className?: string | undefined;
  children: ReactNode;
}

/** A part of a screen, labelled by its title. */
export function Section({ title, titleRef, aside, className = 'section', children }: SectionProps) {
  const id = useId();
  return (
    <section className={className} aria-labelledby={id}>
      <div className="section-head">
        <h2 id={id} {...(titleRef && { ref: titleRef, tabIndex: -1 })}>
          {title}
        </h2>
        {aside}
      </div>
      {children}
    </section>
  );
}
