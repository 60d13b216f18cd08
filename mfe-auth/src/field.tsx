import { Icon } from 'host/ui/icon.tsx';
import { type ComponentProps, type ReactNode, useId } from 'react';

interface FieldProps extends ComponentProps<'input'> {
  label: string;
  /** Hint below the input. */
  note?: string;
  /** Why the input was refused, instead of the hint. */
  problem?: string;
  /** A button at the end of the input. */
  children?: ReactNode;
}

/** An input with a label above it; all other properties are passed to the input. */
export function Field({ label, note, problem, children, ...input }: FieldProps) {
  const id = useId();
  const text = problem || note;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="input-row">
        <input
          className="input"
          id={id}
          {...(text && { 'aria-describedby': `${id}-note` })}
          {...(problem && { 'aria-invalid': true })}
          {...input}
        />
        {children}
      </div>
      {text && (
        <p className={problem ? 'field-note error' : 'field-note'} id={`${id}-note`}>
          {problem && <Icon name="alert" />}
          {text}
        </p>
      )}
    </div>
  );
}

/** What the inputs of the form with these names contain, without spaces around it. */
export function textsIn<N extends string>(form: HTMLFormElement, ...names: N[]): Record<N, string> {
  const fields = new FormData(form);
  const texts = names.map((name) => [name, String(fields.get(name) ?? '').trim()]);
  return Object.fromEntries(texts) as Record<N, string>;
}
