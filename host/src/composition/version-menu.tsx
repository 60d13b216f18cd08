import { useInfiniteQuery } from '@tanstack/react-query';
import { Icon } from 'host/ui/icon.tsx';
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import styles from './composition.module.css';
import { useScreen } from './screen-context.ts';

const GAP = 4;
const MARGIN = 8;

interface VersionMenuProps {
  remote: string;
  live: string;
  /** 'mfe-chat@1.5.0' if another version than the live one is chosen. */
  chosen: string | undefined;
  onChoose(remote: string, release: string): void;
}

/** The version of a remote, with a menu of its other releases. Arrow keys move in it; Escape and a press outside close it. */
export function VersionMenu({ remote, live, chosen, onChoose }: VersionMenuProps) {
  const { say, formats, calls } = useScreen();
  const [isOpen, setOpen] = useState(false);
  const query = useInfiniteQuery({
    queryKey: ['releases', remote],
    queryFn: ({ pageParam, signal }) => calls.releases(remote, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    enabled: isOpen,
    staleTime: 0,
  });
  const { error, isFetchingNextPage } = query;
  const releases = query.data?.pages.flatMap((page) => page.releases);
  const isAnswered = releases !== undefined || error !== null;
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const current = chosen ?? `${remote}@${live}`;
  const label = say('menu.of', { release: current });

  const leave = () => {
    setOpen(false);
    button.current?.focus();
  };

  const shownCount = isAnswered ? (releases?.length ?? 0) : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: repositions when more versions change its height
  useLayoutEffect(() => {
    if (isOpen && menu.current && button.current) place(menu.current, button.current);
  }, [isOpen, shownCount]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the first versions take the focus
  useEffect(() => {
    if (isOpen) (itemsIn(menu.current)[0] ?? menu.current)?.focus({ preventScroll: true });
  }, [isOpen, shownCount === undefined]);

  useEffect(() => {
    if (!isOpen) return;
    const closeOutside = ({ target }: Event) => {
      if (![menu, button].some(({ current: part }) => part?.contains(target as Node))) setOpen(false);
    };
    const close = () => setOpen(false);
    const closeByScroll = ({ target }: Event) => {
      if (target !== menu.current) setOpen(false);
    };
    document.addEventListener('pointerdown', closeOutside);
    document.addEventListener('focusin', closeOutside);
    document.addEventListener('scroll', closeByScroll, true);
    window.addEventListener('resize', close);
    return () => {
      document.removeEventListener('pointerdown', closeOutside);
      document.removeEventListener('focusin', closeOutside);
      document.removeEventListener('scroll', closeByScroll, true);
      window.removeEventListener('resize', close);
    };
  }, [isOpen]);

  const moveByKey = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Escape' || event.key === 'Tab') {
      event.stopPropagation();
      if (event.key === 'Escape') event.preventDefault();
      return leave();
    }
    const items = itemsIn(menu.current);
    const at = items.indexOf(document.activeElement as HTMLElement);
    const next = {
      ArrowDown: (at + 1) % items.length,
      ArrowUp: at <= 0 ? items.length - 1 : at - 1,
      Home: 0,
      End: items.length - 1,
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    items[next]?.focus();
  };

  return (
    <>
      <button
        className={chosen ? `${styles.version} ${styles.changed}` : styles.version}
        type="button"
        ref={button}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        {/* The numbers beside it still belong to the live version. */}
        <span className="clip">
          {chosen && '→ '}
          {current.slice(remote.length + 1)}
        </span>
        <Icon name="chevron" isSmall />
      </button>
      {isOpen && (
        <div
          className={`menu ${styles.versions}`}
          id={id}
          ref={menu}
          role="menu"
          tabIndex={-1}
          aria-label={label}
          aria-busy={!isAnswered}
          popover="manual"
          onKeyDown={moveByKey}
        >
          {!isAnswered && <span className="bone full" />}
          {releases?.map((release) => (
            <button
              key={release.id}
              type="button"
              role="menuitemradio"
              aria-checked={release.id === current}
              tabIndex={-1}
              onClick={() => {
                leave();
                onChoose(remote, release.id);
              }}
            >
              <Icon name={release.id === current ? 'check' : 'layers'} />
              <span>
                <code>{release.version}</code>
                <small>
                  {formats.when(release.publishedAt)}
                  {release.version === live && ` · ${say('menu.live')}`}
                  {release.isLive && release.version !== live && ` · ${say('menu.canary')}`}
                </small>
              </span>
            </button>
          ))}
          {error && <p role="alert">{`${say('menu.failed')}：${error.message}`}</p>}
          {releases && !error && releases.length < 2 && <p>{say('menu.only')}</p>}
          {query.hasNextPage && (
            <button
              type="button"
              role="menuitem"
              tabIndex={-1}
              onClick={() => isFetchingNextPage || void query.fetchNextPage()}
            >
              <Icon name="more" />
              {say('menu.more')}
            </button>
          )}
        </div>
      )}
    </>
  );
}

/** Positions the menu in the top layer, where the table does not clip it, below or above its button, wherever there is more space. */
function place(menu: HTMLElement, button: HTMLElement): void {
  if (!menu.matches(':popover-open')) menu.showPopover?.();
  const { top, bottom, left } = button.getBoundingClientRect();
  const below = innerHeight - bottom - GAP - MARGIN;
  const above = top - GAP - MARGIN;
  const isBelow = menu.scrollHeight <= below || below >= above;
  const height = Math.min(menu.scrollHeight, isBelow ? below : above);
  menu.style.maxHeight = `${isBelow ? below : above}px`;
  menu.style.top = `${isBelow ? bottom + GAP : top - GAP - height}px`;
  menu.style.left = `${Math.max(MARGIN, Math.min(left, innerWidth - menu.offsetWidth - MARGIN))}px`;
}

function itemsIn(menu: HTMLElement | null): HTMLElement[] {
  return [...(menu?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])];
}
