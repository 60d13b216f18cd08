import { Icon } from 'host/ui/icon.tsx';
import { type ComponentProps, useEffect, useRef } from 'react';
import { Link } from 'react-router-dom';

interface BackLinkProps extends Pick<ComponentProps<typeof Link>, 'to' | 'className'> {
  label: string;
  takesFocus?: boolean;
}

/** The way back to the list from what covers it. Its class hides it where the list is beside it: the focus then stays in the list. */
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
