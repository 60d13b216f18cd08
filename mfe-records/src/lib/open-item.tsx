import { addEscapeLayer } from 'host/ui/escape.ts';
import { Icon } from 'host/ui/icon.tsx';
import { type ComponentProps, type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import { Link, useNavigate } from 'react-router-dom';

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

/** While an item of a list is open, Escape goes `back` to the list, but not from a field, whose text would no longer be visible. */
export function useEscapeBack(isOpen: boolean, back: string | { search: string }): void {
  const navigate = useNavigate();
  const leave = useEffectEvent(() => void navigate(back));
  useEffect(() => {
    if (!isOpen) return;
    return addEscapeLayer(({ target }) => {
      if (target instanceof Element && target.closest('input, textarea, select')) return false;
      leave();
      return true;
    });
  }, [isOpen]);
}

/** When the item is closed, focuses its row, the element of the list with this data attribute: on a phone the item has covered the list. */
export function useRowFocus(
  list: RefObject<HTMLElement | null>,
  attribute: string,
  openId: string | null,
): void {
  const before = useRef<string | null>(null);
  useEffect(() => {
    const row = before.current && !openId && `[${attribute}="${CSS.escape(before.current)}"]`;
    if (row) list.current?.querySelector<HTMLElement>(row)?.focus();
    before.current = openId;
  }, [list, attribute, openId]);
}
