import { Icon } from 'host/ui/icon.tsx';
import { moveInMenu } from 'host/ui/menu.tsx';
import type { ReactNode } from 'react';
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
  const chosen = choices.find((choice) => choice.value === value);
  const all: Choice<T | ''>[] = [{ value: '', label: any }, ...choices];

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
        <div className={styles.choices} role="menu" aria-label={name} tabIndex={-1} onKeyDown={moveInMenu}>
          {all.map((choice) => (
            <button
              key={choice.value}
              type="button"
              role="menuitemradio"
              aria-checked={choice.value === value}
              data-focus-first={choice.value === value || undefined}
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
