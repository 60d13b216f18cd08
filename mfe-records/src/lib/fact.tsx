import type { ReactNode } from 'react';

interface FactProps {
  name: string;
  /** Class of the value. */
  className?: string | undefined;
  children: ReactNode;
}

/** A name with its value, inside of a `dl`. */
export function Fact({ name, className, children }: FactProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className={className}>{children}</dd>
    </div>
  );
}
