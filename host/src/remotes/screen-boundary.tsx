import { Component, type ReactNode } from 'react';

interface Props {
  children: ReactNode;
  onThrow(error: Error): void;
}

/** Prevents a screen that throws from unmounting the frame. The caller decides what to show instead. */
export class ScreenBoundary extends Component<Props, { hasThrown: boolean }> {
  override state = { hasThrown: false };

  static getDerivedStateFromError() {
    return { hasThrown: true };
  }

  override componentDidCatch(error: unknown) {
    this.props.onThrow(error instanceof Error ? error : new Error(String(error)));
  }

  override render() {
    return this.state.hasThrown ? null : this.props.children;
  }
}
