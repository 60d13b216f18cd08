import type { KeyboardEvent } from 'react';

interface SegmentsProps<T extends string | number> {
  label: string;
  choices: readonly { value: NoInfer<T>; label: string }[];
  /** No segment is checked if it is not among the choices. */
  value: T;
  /** Arrow keys only move the focus; Enter or Space chooses. For choices that are sent to the server. */
  isManual?: boolean;
  /** Fills the width of a phone. */
  isWide?: boolean;
  onChange(value: NoInfer<T>): void;
}

const STEPS: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** A segmented control: one of a few choices, as a radio group. Arrow keys move between the segments. */
export function Segments<T extends string | number>({
  label,
  choices,
  value,
  isManual = false,
  isWide = false,
  onChange,
}: SegmentsProps<T>) {
  const checked = choices.findIndex((choice) => choice.value === value);
  const moveByKey = (event: KeyboardEvent<HTMLElement>) => {
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    const radios = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=radio]')];
    const current = radios.indexOf(document.activeElement as HTMLElement);
    const next = (current + step + choices.length) % choices.length;
    radios[next]?.focus();
    const choice = choices[next];
    if (choice && !isManual) onChange(choice.value);
  };
  return (
    <div
      className={isWide ? 'segments wide' : 'segments'}
      role="radiogroup"
      aria-label={label}
      onKeyDown={moveByKey}
    >
      {choices.map((choice, index) => (
        // biome-ignore lint/a11y/useSemanticElements: the design system's segments are buttons
        <button
          key={choice.value}
          type="button"
          role="radio"
          aria-checked={index === checked}
          tabIndex={index === Math.max(0, checked) ? 0 : -1}
          onClick={() => {
            if (choice.value !== value) onChange(choice.value);
          }}
        >
          {choice.label}
        </button>
      ))}
    </div>
  );
}
