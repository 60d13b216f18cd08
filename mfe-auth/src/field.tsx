import { type ComponentProps, useId } from 'react';

interface FieldProps extends ComponentProps<'input'> {
  label: string;
  /** Hint below the input. */
  note?: string;
}

/** An input with a label above it; all other properties are passed to the input. */
export function Field({ label, note, ...input }: FieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input className="input" id={id} {...(note && { 'aria-describedby': `${id}-note` })} {...input} />
      {note && (
        <p className="field-note" id={`${id}-note`}>
          {note}
        </p>
      )}
    </div>
  );
}
