import { type ComponentProps, type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { Icon } from './icon.tsx';
import { Popover } from './popover.tsx';

/** A menu beside its anchor. Children are elements with the role `menuitem` or `menuitemradio`; the first one has `data-focus-first`. */
export function Menu({
  className = '',
  onKeyDown,
  ...popover
}: Omit<ComponentProps<typeof Popover>, 'role' | 'className'> & { className?: string }) {
  return (
    <Popover
      {...popover}
      role="menu"
      className={`menu ${className}`}
      onKeyDown={(event) => {
        onKeyDown?.(event);
        if (event.key === 'Tab') popover.onClose();
        moveInMenu(event);
      }}
    />
  );
}

/** Key handler of a menu: arrow keys, Home and End move between its items. */
export function moveInMenu(event: KeyboardEvent<HTMLElement>): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role^=menuitem]')];
  const current = items.indexOf(document.activeElement as HTMLElement);
  const target = {
    ArrowDown: (current + 1) % items.length,
    ArrowUp: current <= 0 ? items.length - 1 : current - 1,
    Home: 0,
    End: items.length - 1,
  }[event.key];
  if (target === undefined) return;
  event.preventDefault();
  items[target]?.focus();
}

export interface MenuItem {
  label: string;
  icon: string;
  isDanger?: boolean;
  /** Shown last, below a line. */
  isApart?: boolean;
  /** A link to a path, or a function. */
  action: { to: string } | (() => void);
}

interface ItemMenuProps
  extends Pick<ComponentProps<typeof Popover>, 'id' | 'anchor' | 'placement' | 'closesOnScroll' | 'onClose'> {
  label: string;
  items: readonly MenuItem[];
}

/** A menu of links and actions. */
export function ItemMenu({ items, ...menu }: ItemMenuProps) {
  const { anchor, onClose } = menu;
  return (
    <Menu {...menu}>
      {items.map(({ label, icon, isDanger, isApart, action }, index) => {
        const item = {
          role: 'menuitem',
          tabIndex: -1,
          className: isDanger ? 'danger' : isApart ? 'apart' : undefined,
          'data-focus-first': index === 0 || undefined,
        };
        const content = (
          <>
            <Icon name={icon} />
            {label}
          </>
        );
        if (typeof action !== 'function')
          return (
            <Link key={label} {...item} to={action.to} onClick={onClose}>
              {content}
            </Link>
          );
        const run = () => {
          // First, so that a dialog opened by the action returns the focus to the button.
          anchor.focus();
          onClose();
          action();
        };
        return (
          <button key={label} {...item} type="button" onClick={run}>
            {content}
          </button>
        );
      })}
    </Menu>
  );
}

interface MenuButtonProps {
  label: string;
  title?: string;
  className?: string;
  items: readonly MenuItem[];
  placement?: 'top-end' | 'bottom-end';
  /** Content of the button. By default three dots. */
  children?: ReactNode;
}

/** A button that opens a menu of links and actions. Items that appear while it is open are added at the end, so that none moves. */
export function MenuButton(props: MenuButtonProps) {
  const {
    label,
    items,
    placement = 'bottom-end',
    className = 'icon-button',
    children = <Icon name="more" />,
  } = props;
  /** Labels when the menu was opened; null while it is closed. */
  const [opened, setOpened] = useState<readonly string[] | null>(null);
  const isOpen = opened !== null;
  const menuId = useId();
  const button = useRef<HTMLButtonElement>(null);
  const close = () => setOpened(null);
  return (
    <>
      <button
        className={className}
        type="button"
        ref={button}
        aria-label={label}
        title={props.title}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? menuId : undefined}
        onClick={() => setOpened(isOpen ? null : items.map((item) => item.label))}
      >
        {children}
      </button>
      {opened && button.current && (
        <ItemMenu
          id={menuId}
          anchor={button.current}
          label={label}
          placement={placement}
          items={inOrder(items, opened)}
          onClose={close}
        />
      )}
    </>
  );
}

function inOrder(items: readonly MenuItem[], labels: readonly string[]): MenuItem[] {
  const placeOf = ({ label, isApart }: MenuItem) => {
    if (isApart) return labels.length + 1;
    const place = labels.indexOf(label);
    return place === -1 ? labels.length : place;
  };
  return items.toSorted((a, b) => placeOf(a) - placeOf(b));
}
