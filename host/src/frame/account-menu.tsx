import { Icon } from 'host/ui/icon.tsx';
import { useStream } from 'host/ui/use-stream.ts';
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { useDesk } from './desk.ts';
import { useSay } from './use-say.ts';

/** The avatar button with the account menu. Arrow keys move in the menu; Escape and a click outside close it. */
export default function AccountMenu() {
  const { avatars, session, toasts } = useDesk();
  const say = useSay();
  const username = useStream(session.username$);
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    if (isOpen && menu.current && button.current) placeBelow(menu.current, button.current);
  }, [isOpen]);

  useEffect(() => {
    if (!isOpen) return;
    const closeOutside = ({ target }: Event) => {
      const isInside = [menu, button].some(({ current }) => current?.contains(target as Node));
      if (!isInside) setOpen(false);
    };
    const close = () => setOpen(false);
    document.addEventListener('pointerdown', closeOutside);
    document.addEventListener('focusin', closeOutside);
    window.addEventListener('resize', close);
    return () => {
      document.removeEventListener('pointerdown', closeOutside);
      document.removeEventListener('focusin', closeOutside);
      window.removeEventListener('resize', close);
    };
  }, [isOpen]);

  const moveByKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      // Otherwise the same key would also stop an answer.
      event.stopPropagation();
      event.preventDefault();
      setOpen(false);
      button.current?.focus();
      return;
    }
    const next = nextItem(menu.current, event.key);
    if (!next) return;
    event.preventDefault();
    next.focus();
  };

  const leave = async () => {
    setOpen(false);
    try {
      await session.signOut();
      toasts.show({ kind: 'success', text: say('signedOut') });
    } catch {
      toasts.show({ kind: 'warning', text: say('signedOutHere') });
    }
  };

  return (
    <>
      <button
        ref={button}
        className="icon-button"
        type="button"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-label={say('accountOf', { name: username })}
        title={username}
        onClick={() => setOpen(!isOpen)}
      >
        <img className="avatar" src={avatars.user} alt="" width="28" height="28" />
      </button>
      {isOpen && (
        <div ref={menu} className="menu" role="menu" tabIndex={-1} popover="manual" onKeyDown={moveByKey}>
          <Link role="menuitem" to="/account" onClick={() => setOpen(false)}>
            <Icon name="lock" />
            {say('account')}
          </Link>
          <button role="menuitem" type="button" onClick={leave}>
            <Icon name="arrow" />
            {say('signOut')}
          </button>
        </div>
      )}
    </>
  );
}

/** Positions the menu under its button, in the top layer so that it is not clipped. */
function placeBelow(menu: HTMLElement, button: HTMLElement): void {
  const { bottom, right } = button.getBoundingClientRect();
  menu.style.top = `${bottom + 4}px`;
  menu.style.right = `${document.documentElement.clientWidth - right}px`;
  menu.showPopover?.();
  itemsOf(menu)[0]?.focus();
}

function nextItem(menu: HTMLElement | null, key: string): HTMLElement | undefined {
  const items = itemsOf(menu);
  const current = items.indexOf(document.activeElement as HTMLElement);
  if (key === 'ArrowDown') return items[(current + 1) % items.length];
  if (key === 'ArrowUp') return items.at(current - 1);
  if (key === 'Home') return items[0];
  return key === 'End' ? items.at(-1) : undefined;
}

function itemsOf(menu: HTMLElement | null): HTMLElement[] {
  return [...(menu?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];
}
