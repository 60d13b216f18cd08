import { type ReactNode, type RefObject, useId } from 'react';

interface SectionProps {
  title: ReactNode;
  /** For moving the focus to the title. */
  titleRef?: RefObject<HTMLHeadingElement | null>;
  /** Beside the title. */
  aside?: ReactNode;
  className?: string | undefined;
  children: ReactNode;
}

/** A part of a screen that its title names. */
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
