import { Component, type ReactNode, useContext } from 'react';
import { PartServices } from './late-part.tsx';

interface BoundaryProps {
  /** Shown after the part has thrown. Default nothing. */
  fallback?: ReactNode;
  children: ReactNode;
}

interface ErrorBoundaryProps extends BoundaryProps {
  onThrow(error: unknown): unknown;
}

/** Renders `fallback` after its children have thrown while rendering. The caller decides what else happens. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { hasThrown: boolean }> {
  override state = { hasThrown: false };

  static getDerivedStateFromError() {
    return { hasThrown: true };
  }

  override componentDidCatch(error: unknown) {
    this.props.onThrow(error);
  }

  override render() {
    return this.state.hasThrown ? this.props.fallback : this.props.children;
  }
}

/** Error boundary for an optional part of a screen: reports the error, and the rest of the screen stays. */
export function PartBoundary(props: BoundaryProps) {
  return <ErrorBoundary {...props} onThrow={useContext(PartServices).report} />;
}
