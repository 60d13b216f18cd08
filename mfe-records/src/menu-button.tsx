import { Icon } from 'host/ui/icon.tsx';
import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { Link } from 'react-router-dom';

export interface MenuItem {
  label: string;
  icon: string;
  isDanger?: boolean;
  /** A link, or an action. */
  deed: { to: string } | (() => void);
}

interface MenuButtonProps {
  label: string;
  className: string;
  items: MenuItem[];
  side?: 'above' | 'below';
  children: ReactNode;
}

const GAP = 6;
const MARGIN = 8;

/** A button that opens a menu in the top layer. Arrow keys move in it; Escape and a press outside close it. */
export function MenuButton({ label, className, items, side = 'below', children }: MenuButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  const menuId = useId();
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    const [shown, from] = [menu.current, button.current];
    if (!isOpen || !shown || !from) return;
    shown.showPopover?.();
    const box = from.getBoundingClientRect();
    const top = side === 'above' ? box.top - GAP - shown.offsetHeight : box.bottom + GAP;
    shown.style.top = `${Math.max(MARGIN, Math.min(top, innerHeight - shown.offsetHeight - MARGIN))}px`;
    shown.style.left = `${Math.max(MARGIN, box.right - shown.offsetWidth)}px`;
    shown.querySelector<HTMLElement>('[role=menuitem]')?.focus();
  }, [isOpen, side]);

  useEffect(() => {
    if (!isOpen) return;
    const closeOutside = ({ target }: Event) => {
      if (![menu, button].some(({ current }) => current?.contains(target as Node))) setIsOpen(false);
    };
    const close = () => setIsOpen(false);
    document.addEventListener('pointerdown', closeOutside);
    document.addEventListener('focusin', closeOutside);
    window.addEventListener('resize', close);
    return () => {
      document.removeEventListener('pointerdown', closeOutside);
      document.removeEventListener('focusin', closeOutside);
      window.removeEventListener('resize', close);
    };
  }, [isOpen]);

  const leave = () => {
    setIsOpen(false);
    button.current?.focus();
  };
  const moveInMenu = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Escape') {
      event.stopPropagation();
      event.preventDefault();
      return leave();
    }
    if (event.key === 'Tab') return leave();
    const links = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=menuitem]')];
    const at = links.indexOf(document.activeElement as HTMLElement);
    const target = {
      ArrowDown: (at + 1) % links.length,
      ArrowUp: (at - 1 + links.length) % links.length,
      Home: 0,
      End: links.length - 1,
    }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    links[target]?.focus();
  };

  return (
    <>
      <button
        className={className}
        type="button"
        ref={button}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? menuId : undefined}
        onClick={() => setIsOpen((before) => !before)}
      >
        {children}
      </button>
      {isOpen && (
        <div
          className="menu"
          id={menuId}
          ref={menu}
          role="menu"
          tabIndex={-1}
          aria-label={label}
          popover="manual"
          onKeyDown={moveInMenu}
        >
          {items.map(({ label: name, icon, isDanger, deed }) =>
            typeof deed === 'function' ? (
              <button
                key={name}
                type="button"
                role="menuitem"
                tabIndex={-1}
                className={isDanger ? 'danger' : undefined}
                onClick={() => {
                  leave();
                  deed();
                }}
              >
                <Icon name={icon} />
                {name}
              </button>
            ) : (
              <Link key={name} role="menuitem" tabIndex={-1} to={deed.to}>
                <Icon name={icon} />
                {name}
              </Link>
            ),
          )}
        </div>
      )}
    </>
  );
}
