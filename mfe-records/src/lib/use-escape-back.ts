import { addEscapeLayer } from 'host/ui/escape.ts';
import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router-dom';

/** While an item of a list is open, Escape goes `back` to the list, but not from a field, whose text would no longer be visible. */
export function useEscapeBack(isOpen: boolean, back: string | { search: string }): void {
  const navigate = useNavigate();
  const leave = useRef(() => {});
  leave.current = () => void navigate(back);
  useEffect(() => {
    if (!isOpen) return;
    return addEscapeLayer(({ target }) => {
      if (target instanceof Element && target.closest('input, textarea, select')) return false;
      leave.current();
      return true;
    });
  }, [isOpen]);
}
