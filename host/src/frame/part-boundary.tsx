import { Component, type ReactNode } from 'react';
import { DeskContext } from './desk.ts';

interface Props {
  /** What the part is called in reports. */
  name: string;
  children: ReactNode;
  /** Shown instead once the part has thrown. */
  fallback?: ReactNode;
}

/** Around a part of the host's frame: where that throws, the desk is used without it, and it counts as a failure of the host. */
export class PartBoundary extends Component<Props, { hasThrown: boolean }> {
  static override contextType = DeskContext;
  declare context: React.ContextType<typeof DeskContext>;
  override state = { hasThrown: false };

  static getDerivedStateFromError() {
    return { hasThrown: true };
  }

  override componentDidCatch(error: unknown) {
    this.context?.reportPart(this.props.name, error instanceof Error ? error : new Error(String(error)));
  }

  override render() {
    return this.state.hasThrown ? this.props.fallback : this.props.children;
  }
}
