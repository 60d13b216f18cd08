interface SwitchProps {
  label: string;
  /** Below the label. */
  note: string;
  isOn: boolean;
  isDisabled?: boolean;
  onChange(isOn: boolean): void;
}

/** A switch with its label beside it. */
export function Switch({ label, note, isOn, isDisabled = false, onChange }: SwitchProps) {
  return (
    <label className="choice">
      <span className="grow">
        {label}
        <small className="block type-small">{note}</small>
      </span>
      <input
        className="switch"
        type="checkbox"
        role="switch"
        disabled={isDisabled}
        aria-checked={isOn}
        checked={isOn}
        onChange={({ target }) => onChange(target.checked)}
      />
    </label>
  );
}
