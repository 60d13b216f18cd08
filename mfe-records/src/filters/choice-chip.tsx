import { Icon } from 'host/ui/icon.tsx';
import { type KeyboardEvent, type ReactNode, useRef } from 'react';
import styles from './filter-bar.module.css';
import { FilterChip } from './filter-chip.tsx';

interface Choice<T extends string> {
  value: T;
  label: ReactNode;
}

interface ChoiceChipProps<T extends string> {
  name: string;
  off: string;
  closeLabel: string;
  /** Text of the value '', which matches everything. */
  any: string;
  choices: readonly Choice<T>[];
  value: T | '';
  onChange(value: T | ''): void;
}

/** A filter chip with a menu of a few values. Arrow keys, Home and End move in the menu. */
export function ChoiceChip<T extends string>(props: ChoiceChipProps<T>) {
  const { name, off, closeLabel, any, choices, value, onChange } = props;
  const menu = useRef<HTMLDivElement>(null);
  const chosen = choices.find((choice) => choice.value === value);
  const all: Choice<T | ''>[] = [{ value: '', label: any }, ...choices];

  const move = (event: KeyboardEvent) => {
    const items = [...(menu.current?.querySelectorAll<HTMLElement>('[role="menuitemradio"]') ?? [])];
    const at = items.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: (at + 1) % items.length, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    items.at(to)?.focus();
  };

  return (
    <FilterChip
      label={chosen?.label ?? name}
      isSet={chosen !== undefined}
      title={name}
      off={off}
      closeLabel={closeLabel}
      opens="menu"
      onOff={() => onChange('')}
    >
      {(close) => (
        <div
          ref={menu}
          className={styles.choices}
          role="menu"
          aria-label={name}
          tabIndex={-1}
          onKeyDown={move}
        >
          {all.map((choice) => (
            <button
              key={choice.value}
              type="button"
              role="menuitemradio"
              aria-checked={choice.value === value}
              data-first={choice.value === value || undefined}
              onClick={() => {
                close();
                onChange(choice.value);
              }}
            >
              {choice.label}
              {choice.value === value && <Icon name="check" />}
            </button>
          ))}
        </div>
      )}
    </FilterChip>
  );
}
