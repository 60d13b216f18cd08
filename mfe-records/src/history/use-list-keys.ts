import type { FoundRecord } from 'api/contract/search';
import { type KeyboardEvent, type MouseEvent, useRef } from 'react';
import { ALL, idsBetween, isTicked, NOTHING, type Selection, tick } from './selection.ts';

interface ListKeys {
  records: readonly FoundRecord[];
  selection: Selection;
  activeIndex: number;
  onSelect(next: Selection): void;
  /** Moves to a record: shows it and focuses its link or its checkbox. */
  onGo(index: number, place: 'record' | 'tick'): void;
  /** Called when a row was pressed, to which Tab moves the focus from now on. */
  onActive(id: string): void;
  onErase(): void;
}

const PAGE_STEP = 8;

/**
 * Arrow keys, Home, End and the page keys move between records; Space selects, with Shift a range; Ctrl + A selects all matching records;
 * Delete opens the dialog for deletion; Escape clears the selection. A click with Shift selects a range, too.
 */
export function useListKeys(list: ListKeys) {
  const { records, selection, activeIndex, onSelect, onGo, onActive, onErase } = list;
  const rangeStart = useRef<string | null>(null);

  const toggle = (id: string) => {
    rangeStart.current = id;
    onSelect(tick(selection, [id], !isTicked(selection, id)));
  };
  const extendTo = (id: string, from = records[activeIndex]?.id ?? id) => {
    rangeStart.current ??= from;
    onSelect(tick(selection, idsBetween(records, rangeStart.current, id), true));
  };

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const { record, tick: ticked } = (event.target as HTMLElement).dataset;
    const id = record ?? ticked;
    if (!id || event.altKey) return;
    const isCommand = event.ctrlKey || event.metaKey;
    const last = records.length - 1;
    const at = records.findIndex((one) => one.id === id);
    const target = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: Math.min(last, at + PAGE_STEP),
      PageUp: Math.max(0, at - PAGE_STEP),
      Home: 0,
      End: last,
    }[event.key];
    if (target !== undefined && !isCommand) {
      event.preventDefault();
      const next = records[target];
      if (!next) return;
      if (event.shiftKey) extendTo(next.id, id);
      else rangeStart.current = null;
      onGo(target, record ? 'record' : 'tick');
      return;
    }
    if (event.key === ' ' && !isCommand) {
      // The browser toggles a checkbox itself and then fires click.
      if (ticked) return;
      event.preventDefault();
      if (event.shiftKey) extendTo(id);
      else toggle(id);
    } else if (event.key.toLowerCase() === 'a' && isCommand) {
      event.preventDefault();
      onSelect(ALL);
    } else if (event.key === 'Escape' && selection !== NOTHING) {
      event.preventDefault();
      onSelect(NOTHING);
    } else if (event.key === 'Delete' && selection !== NOTHING) {
      event.preventDefault();
      onErase();
    }
  };

  const onClick = (event: MouseEvent<HTMLElement>) => {
    const row = (event.target as HTMLElement).closest<HTMLElement>('[data-index]');
    const record = row && records[Number(row.dataset.index)];
    if (!record) return;
    const box = (event.target as HTMLElement).closest('[data-tick]');
    if (box) {
      onActive(record.id);
      if (event.shiftKey) extendTo(record.id);
      else toggle(record.id);
      return;
    }
    if (!(event.target as HTMLElement).closest('[data-record]')) return;
    onActive(record.id);
    if (!event.shiftKey) return;
    // Selects a range instead of opening another window.
    event.preventDefault();
    extendTo(record.id);
  };

  /** Prevents selecting text when a range of records is selected. */
  const onMouseDown = (event: MouseEvent<HTMLElement>) => {
    if (event.shiftKey && (event.target as HTMLElement).closest('[data-index]')) event.preventDefault();
  };

  return { onKeyDown, onMouseDown, onClickCapture: onClick };
}
