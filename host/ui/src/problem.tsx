import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import { useLabels } from './labels.ts';

interface EmptyStateProps {
  title: string;
  /** Level of the heading. Default 2. */
  level?: 1 | 2 | 3;
  /** Why there is no content, and what can be done. */
  about?: ReactNode;
  role?: 'alert' | 'status';
  /** Shown as a success: everything is done. */
  isDone?: boolean;
  className?: string | undefined;
  /** Links and buttons. */
  children?: ReactNode;
  /** Shown below the links and buttons. */
  foot?: ReactNode;
}

/** Shown instead of content that does not exist. */
export function EmptyState(props: EmptyStateProps) {
  const { title, level = 2, about, role, className = '', children, foot } = props;
  const Heading = `h${level}` as const;
  return (
    <div className={`failed ${className}`} role={role}>
      {props.isDone && (
        <span className="done">
          <Icon name="check" />
        </span>
      )}
      <Heading>{title}</Heading>
      {about && <p>{about}</p>}
      {children && <div className="row">{children}</div>}
      {foot}
    </div>
  );
}

interface ProblemProps extends Pick<EmptyStateProps, 'title' | 'level'> {
  /** The reason, and what happens next. */
  message: string;
  onRetry(): void;
  /** Shown to the visitor, who can give it to an operator. */
  requestId?: string | undefined;
  /** Other actions instead of a retry. */
  actions?: ReactNode;
}

/** Shown instead of content that could not be loaded: title, reason and a retry button. */
export function Problem({ message, onRetry, requestId, actions, ...state }: ProblemProps) {
  const { retry } = useLabels();
  return (
    <EmptyState {...state} role="alert" about={message} foot={requestId && <code>{requestId}</code>}>
      {actions ?? <Button icon="retry" label={retry} onClick={onRetry} />}
    </EmptyState>
  );
}
