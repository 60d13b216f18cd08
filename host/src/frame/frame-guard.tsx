import { Component, type ReactNode } from 'react';

interface Props {
  children: ReactNode;
}

/**
 * Stands around all that changes with the address. What a screen throws while it is taken away does not find the boundary that went
 * along with it, and would take the whole page down. Here it costs the place that comes next a second beginning, and is told as what
 * nobody caught. What fails again at that beginning is the frame's own fault, and goes on upwards.
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
