import type { ReactNode } from 'react';
import { Button } from './button.tsx';

interface ProblemProps {
  title: string;
  /** Level of the heading. Default 2. */
  level?: 2 | 3;
  /** The reason, and what happens next. */
  message: string;
  retryLabel: string;
  onRetry(): void;
  /** Shown to the visitor, who may name it to an operator. */
  requestId?: string | undefined;
  /** Other actions instead of a retry. */
  actions?: ReactNode;
}

/** In place of content that could not be loaded: title, reason and a retry button. */
export function Problem({
  title,
  level = 2,
  message,
  retryLabel,
  onRetry,
  requestId,
  actions,
}: ProblemProps) {
  const Heading = level === 2 ? 'h2' : 'h3';
  return (
    <div className="failed" role="alert">
      <Heading>{title}</Heading>
      <p>{message}</p>
      <div className="row">{actions ?? <Button icon="retry" label={retryLabel} onClick={onRetry} />}</div>
      {requestId && <code>{requestId}</code>}
    </div>
  );
}
