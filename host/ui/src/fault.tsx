import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';

interface FaultProps {
  id?: string;
  /** Not announced, because its field refers to it or it is in a live region. */
  isQuiet?: boolean;
  children: ReactNode;
}

/** What is wrong with an input, or why an action failed. */
export function Fault({ id, isQuiet = false, children }: FaultProps) {
  return (
    <p className="field-note error" id={id} role={isQuiet ? undefined : 'alert'}>
      <Icon name="alert" />
      {children}
    </p>
  );
}
