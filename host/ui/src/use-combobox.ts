import { type KeyboardEvent, useEffect, useId, useState } from 'react';

interface ComboboxOptions {
  count: number;
  /** The active option when it opens and after typing: the first one, or none (-1). */
  startsAt: 0 | -1;
  onChoose(index: number): void;
}

/**
 * Keyboard and ARIA attributes of a text field with a list of options (combobox with a listbox, ARIA 1.2). The focus stays in the field:
 * arrow keys change the active option, Enter chooses it.
 */
export function useCombobox({ count, startsAt, onChoose }: ComboboxOptions) {
  const id = useId();
  const [chosen, setActive] = useState<number>(startsAt);
  const active = Math.min(chosen, count - 1);
  const idOf = (index: number) => `${id}-${index}`;

  const activeId = active < 0 ? undefined : idOf(active);
  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView?.({ block: 'nearest' });
  }, [activeId]);

  const onKeyDown = (event: KeyboardEvent) => {
    // These keys belong to an input method.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && count > 0) {
      event.preventDefault();
      setActive(active < 0 && step < 0 ? count - 1 : (active + step + count) % count);
    } else if (event.key === 'Enter' && active >= 0) {
      event.preventDefault();
      onChoose(active);
    }
  };

  return {
    /** Index of the active option, or -1. */
    active,
    setActive,
    /** Call it when the text changes. */
    reset: () => setActive(startsAt),
    field: {
      role: 'combobox',
      'aria-expanded': count > 0,
      'aria-controls': id,
      'aria-autocomplete': 'list',
      'aria-activedescendant': activeId,
      autoComplete: 'off',
      onKeyDown,
    },
    list: (label: string) => ({ id, role: 'listbox', 'aria-label': label }),
    /** `isSelected`: by default the active option is. */
    option: (index: number, isSelected = index === active) => ({
      id: idOf(index),
      role: 'option',
      'aria-selected': isSelected,
      tabIndex: -1,
      // Keeps the focus in the field, and the keyboard of a phone open.
      onPointerDown: (event: { preventDefault(): void }) => event.preventDefault(),
      onClick: () => onChoose(index),
    }),
  } as const;
}
