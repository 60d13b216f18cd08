import { useInfiniteQuery } from '@tanstack/react-query';
import { Icon } from 'host/ui/icon.tsx';
import { Menu } from 'host/ui/menu.tsx';
import { useEffect, useId, useRef, useState } from 'react';
import styles from './composition.module.css';
import { useScreen } from './screen-context.ts';

interface VersionMenuProps {
  remote: string;
  live: string;
  /** 'mfe-chat@1.5.0' if another version than the live one is chosen. */
  chosen: string | undefined;
  onChoose(remote: string, release: string): void;
}

/** The version of a remote, with a menu of its other releases. Arrow keys move in it; Escape and a press outside close it. */
export function VersionMenu({ remote, live, chosen, onChoose }: VersionMenuProps) {
  const { t, formats, calls } = useScreen();
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
  const current = chosen ?? `${remote}@${live}`;
  const label = t('menu.of', { release: current });

  const leave = () => {
    setOpen(false);
    button.current?.focus();
  };

  // The first versions take the focus, those loaded later do not.
  useEffect(() => {
    if (!isOpen || !isAnswered) return;
    const first = document.getElementById(id)?.querySelector<HTMLElement>('[role^=menuitem]');
    first?.focus({ preventScroll: true });
  }, [isOpen, isAnswered, id]);

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
      {isOpen && button.current && (
        <Menu
          className={styles.versions ?? ''}
          id={id}
          anchor={button.current}
          label={label}
          gap={4}
          isLoading={!isAnswered}
          closesOnScroll
          onClose={() => setOpen(false)}
        >
          {!isAnswered && <span className="skeleton-line full" />}
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
                  {release.version === live && ` · ${t('menu.live')}`}
                  {release.isLive && release.version !== live && ` · ${t('menu.canary')}`}
                </small>
              </span>
            </button>
          ))}
          {error && <p role="alert">{`${t('menu.failed')}：${error.message}`}</p>}
          {releases && !error && releases.length < 2 && <p>{t('menu.only')}</p>}
          {query.hasNextPage && (
            <button
              type="button"
              role="menuitem"
              tabIndex={-1}
              onClick={() => isFetchingNextPage || void query.fetchNextPage()}
            >
              <Icon name="more" />
              {t('menu.more')}
            </button>
          )}
        </Menu>
      )}
    </>
  );
}
