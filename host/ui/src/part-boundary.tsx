import { Component, type ReactNode } from 'react';
import { PartServices } from './late-part.tsx';

interface BoundaryProps {
  /** Shown after the part has thrown. */
  fallback: ReactNode;
  children: ReactNode;
}

/** Error boundary for an optional part of a screen: reports the error, and the rest of the screen stays. */
export class PartBoundary extends Component<BoundaryProps, { hasThrown: boolean }> {
  static override contextType = PartServices;
  declare context: React.ContextType<typeof PartServices>;
  override state = { hasThrown: false };

  static getDerivedStateFromError() {
    return { hasThrown: true };
  }

  override componentDidCatch(error: unknown) {
    void this.context.report(error);
  }

  override render() {
    return this.state.hasThrown ? this.props.fallback : this.props.children;
  }
}
