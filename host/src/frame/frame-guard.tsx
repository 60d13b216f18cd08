import { Component, type ReactNode } from 'react';

interface Props {
  children: ReactNode;
}

/**
 * Catches errors that a screen throws while it unmounts: its own error boundary unmounts with it, so they would remove the whole page. The
 * next screen is rendered again and the error is reported as uncaught. An error of that second render belongs to the frame and is passed
 * on.
 */
export class FrameGuard extends Component<Props> {
  override state = {};

  static getDerivedStateFromError() {
    return null;
  }

  override componentDidCatch(error: unknown) {
    reportError(error);
  }

  override render() {
    return this.props.children;
  }
}
