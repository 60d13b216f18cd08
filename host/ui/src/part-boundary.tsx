import { useContext } from 'react';
import { type BoundaryProps, ErrorBoundary } from './error-boundary.tsx';
import { PartServices } from './late-part.tsx';

/** Error boundary for an optional part of a screen: reports the error, and the rest of the screen stays. */
export function PartBoundary(props: BoundaryProps) {
  return <ErrorBoundary {...props} onThrow={useContext(PartServices).report} />;
}
