import { ErrorBoundary } from 'host/ui/error-boundary.tsx';
import { Component, type ComponentProps, type ReactNode, useContext } from 'react';
import { asError } from '../remotes/run-module.ts';
import { isForeignDomError } from '../remotes/tolerate-translation.ts';
import { ShellContext } from './shell.ts';

interface Props extends Omit<ComponentProps<typeof ErrorBoundary>, 'onThrow'> {
  /** Name of the part in reports. */
  name: string;
}

/** Error boundary for a part of the host's frame: the part is removed and the error counts as a failure of the host. */
export function FramePart({ name, ...part }: Props) {
  const shell = useContext(ShellContext);
  return <ErrorBoundary {...part} onThrow={(error) => shell?.reportPart(name, asError(error))} />;
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
