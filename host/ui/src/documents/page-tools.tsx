import { useId, useState } from 'react';
import { IconButton } from '../icon-button.tsx';
import styles from './pdf-pages.module.css';
import type { SourceTranslate } from './source-texts.ts';

interface PageToolsProps {
  /** The page that is read, counted from 1. */
  page: number;
  /** 0 until the document is open. */
  count: number;
  zoom: number;
  t: SourceTranslate;
  onPage(page: number): void;
  onZoom(zoom: number): void;
}

/** The zoom levels; 1 fits the width. */
export const ZOOMS: readonly number[] = [0.5, 0.75, 1, 1.25, 1.5, 2, 3];

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>;

/** The change of the zoom level or of the page by a key. With Ctrl, Cmd or Alt, keys belong to the browser. */
export function keyStep({ key, ctrlKey, metaKey, altKey }: Pressed) {
  if (ctrlKey || metaKey || altKey) return {};
  return { step: { '+': 1, '=': 1, '-': -1 }[key], turn: { ArrowRight: 1, ArrowLeft: -1 }[key] };
}

export function PageTools({ page, count, zoom, t, onPage, onZoom }: PageToolsProps) {
  const id = useId();
  /** The page number that is being typed. */
  const [draft, setDraft] = useState<string | null>(null);
  const commit = () => {
    const typed = Number(draft?.normalize('NFKC'));
    if (draft && Number.isInteger(typed)) onPage(Math.min(Math.max(1, typed), count));
    setDraft(null);
  };
  const turn = (step: 1 | -1) => {
    const to = page + step;
    return { 'aria-disabled': to < 1 || to > count, onClick: () => onPage(to) };
  };
  const changeZoom = (step: 1 | -1) => {
    const to = ZOOMS[ZOOMS.indexOf(zoom) + step];
    return { 'aria-disabled': to === undefined, onClick: () => to !== undefined && onZoom(to) };
  };
  return (
    <div className={styles.tools}>
      <IconButton icon="chevron" iconClassName="up" label={t('previousPage')} isSmall {...turn(-1)} />
      <label className="line gap-s1" htmlFor={id}>
        <input
          id={id}
          aria-label={t('pageNumber', { count })}
          inputMode="numeric"
          value={draft ?? (count === 0 ? '' : page)}
          disabled={count === 0}
          onChange={(event) => setDraft(event.target.value)}
          onFocus={(event) => event.target.select()}
          onBlur={commit}
          onKeyDown={(event) => {
            if (event.key === 'Enter') commit();
          }}
        />
        <span aria-hidden="true">/ {count === 0 ? '…' : count}</span>
      </label>
      <IconButton icon="chevron" label={t('nextPage')} isSmall {...turn(1)} />
      <span className="line gap-2px push">
        <button className="icon-button small" type="button" aria-label={t('zoomOut')} {...changeZoom(-1)}>
          <span aria-hidden="true">−</span>
        </button>
        <span>{Math.round(zoom * 100)}%</span>
        <button className="icon-button small" type="button" aria-label={t('zoomIn')} {...changeZoom(1)}>
          <span aria-hidden="true">+</span>
        </button>
      </span>
    </div>
  );
}
