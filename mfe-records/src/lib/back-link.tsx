import { Icon } from 'host/ui/icon.tsx';
import { type ComponentProps, useEffect, useRef } from 'react';
import { Link } from 'react-router-dom';

interface BackLinkProps extends Pick<ComponentProps<typeof Link>, 'to' | 'className'> {
  label: string;
  takesFocus?: boolean;
}

/** Link from a detail view back to the list. Its class hides it on wide screens, where the list is visible and keeps the focus. */
export function BackLink({ to, label, className, takesFocus = false }: BackLinkProps) {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (takesFocus && link.current?.offsetParent) link.current.focus();
  }, [takesFocus]);
  return (
    <Link className={`button small bare ${className}`} to={to} ref={link}>
      <Icon name="chevron" className="left icon-s" />
      {label}
    </Link>
  );
}
