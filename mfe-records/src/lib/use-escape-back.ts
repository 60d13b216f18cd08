import { addEscapeLayer } from 'host/ui/escape.ts';
import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router-dom';

/** While an item of a list is open, Escape leads `back` to the list, except from a field, whose text would be out of sight. */
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
