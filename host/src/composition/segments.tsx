import type { KeyboardEvent } from 'react';

interface SegmentsProps {
  label: string;
  choices: readonly { value: number; label: string }[];
  /** None is chosen where it is not among the choices. */
  value: number;
  /** Moving by arrows only moves the focus, and Enter or Space chooses: for a choice that is a deed. */
  isDeed?: boolean;
  onChange(value: number): void;
}

const STEPS: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** One of a few, side by side; arrows move. */
export function Segments({ label, choices, value, isDeed = false, onChange }: SegmentsProps) {
  const chosen = choices.findIndex((choice) => choice.value === value);
  const move = (event: KeyboardEvent<HTMLElement>) => {
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    const radios = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=radio]')];
    const at = radios.indexOf(document.activeElement as HTMLElement);
    const next = (at + step + choices.length) % choices.length;
    radios[next]?.focus();
    const choice = choices[next];
    if (choice && !isDeed) onChange(choice.value);
  };
  return (
    <div className="segments" role="radiogroup" aria-label={label} onKeyDown={move}>
      {choices.map((choice, index) => (
        // biome-ignore lint/a11y/useSemanticElements: the design system's segments are buttons
        <button
          key={choice.value}
          type="button"
          role="radio"
          aria-checked={choice.value === value}
          tabIndex={index === Math.max(0, chosen) ? 0 : -1}
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
