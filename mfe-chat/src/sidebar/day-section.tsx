import { type ReactNode, useId } from 'react';

/** The entries of one day, with a heading that labels their list. */
export function DaySection({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <>
      <h3 id={id}>{title}</h3>
      <ul aria-labelledby={id}>{children}</ul>
    </>
  );
}
