import type { KeyboardEvent } from 'react';

interface SegmentsProps<T extends string> {
  label: string;
  choices: { value: T; label: string }[];
  value: T;
  onChange(value: T): void;
}

const STEPS: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** One of a few, side by side; arrows choose. */
export function Segments<T extends string>({ label, choices, value, onChange }: SegmentsProps<T>) {
  const handleKey = (event: KeyboardEvent<HTMLElement>) => {
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    const at = choices.findIndex((choice) => choice.value === value);
    const next = (at + step + choices.length) % choices.length;
    const chosen = choices[next];
    if (!chosen) return;
    onChange(chosen.value);
    event.currentTarget.querySelectorAll<HTMLElement>('[role=radio]')[next]?.focus();
  };
  return (
    <div className="segments" role="radiogroup" aria-label={label} onKeyDown={handleKey}>
      {choices.map((choice) => (
        // biome-ignore lint/a11y/useSemanticElements: the design system's segments are buttons
        <button
          key={choice.value}
          type="button"
          role="radio"
          aria-checked={choice.value === value}
          tabIndex={choice.value === value ? 0 : -1}
          onClick={() => onChange(choice.value)}
        >
          {choice.label}
        </button>
      ))}
    </div>
  );
}
