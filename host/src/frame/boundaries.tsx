import { Component, type ReactNode } from 'react';
import { asError } from '../remotes/run-module.ts';
import { isForeignDomError } from '../remotes/tolerate-translation.ts';
import { ShellContext } from './shell.ts';

interface Props {
  /** Name of the part in reports. */
  name: string;
  children: ReactNode;
  /** Rendered instead after the part has thrown. */
  fallback?: ReactNode;
}

/** Error boundary for a part of the host's frame: the part is removed and the error counts as a failure of the host. */
export class PartBoundary extends Component<Props, { hasThrown: boolean }> {
  static override contextType = ShellContext;
  declare context: React.ContextType<typeof ShellContext>;
  override state = { hasThrown: false };

  static getDerivedStateFromError() {
    return { hasThrown: true };
  }

  override componentDidCatch(error: unknown) {
    this.context?.reportPart(this.props.name, asError(error));
  }

  override render() {
    return this.state.hasThrown ? this.props.fallback : this.props.children;
  }
}

/**
 * Catches errors that a screen throws while it unmounts: its own error boundary unmounts with it, so they would remove the whole page. The
 * next screen is rendered again and the error is reported as uncaught. An error of that second render belongs to the frame and is passed
 * on.
 */
export class FrameGuard extends Component<{ children: ReactNode }> {
  override state = {};

  static getDerivedStateFromError() {
    return null;
  }

  override componentDidCatch(error: unknown) {
    if (!isForeignDomError(error)) reportError(error);
  }

  override render() {
    return this.props.children;
  }
}
