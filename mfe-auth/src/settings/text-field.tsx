import { type ComponentProps, useId } from 'react';

interface TextFieldProps extends Omit<ComponentProps<'textarea'>, 'onChange' | 'value'> {
  label: string;
  note: string;
  value: string;
  onType(text: string): void;
}

/** A text of several lines, with a label above and a note below. */
export function TextField({ label, note, value, onType, ...textarea }: TextFieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea
        className="input"
        id={id}
        aria-describedby={`${id}-note`}
        value={value}
        onChange={({ target }) => onType(target.value)}
        {...textarea}
      />
      <p className="field-note" id={`${id}-note`}>
        {note}
      </p>
    </div>
  );
}
