import { type ComponentProps, type ReactNode, type RefObject, useId } from 'react';
import { Icon } from './icon.tsx';

interface TextFieldProps extends Omit<ComponentProps<'input'>, 'className' | 'id' | 'onChange' | 'ref'> {
  label: ReactNode;
  inputRef?: RefObject<HTMLInputElement | null> | RefObject<HTMLTextAreaElement | null>;
  /** Number of lines; makes the field a textarea. */
  rows?: number;
  /** Value and text of each choice; makes the field a select. */
  choices?: readonly (readonly [value: string, text: string])[];
  /** Shown below the field. */
  note?: ReactNode;
  /** What is wrong with the input, shown instead of the note. */
  fault?: string | undefined;
  /** The fault is not announced, because the field that it describes gets the focus. */
  isQuiet?: boolean;
  /** Shown at the end of the field, such as a button. */
  end?: ReactNode;
  onText?(text: string): void;
}

/** A text field or a select with its label and a note or a fault. All other properties are passed to the control. */
export function TextField(props: TextFieldProps) {
  const {
    label,
    inputRef,
    choices,
    note,
    fault,
    isQuiet = false,
    end,
    onText,
    children,
    ...attributes
  } = props;
  const id = useId();
  // All three elements have the properties that are used here.
  const Control = (choices ? 'select' : props.rows ? 'textarea' : 'input') as 'input';
  const text = fault || note;
  const control = (
    <Control
      ref={inputRef as RefObject<HTMLInputElement>}
      id={id}
      className="input"
      dir="auto"
      aria-invalid={Boolean(fault) || undefined}
      aria-describedby={text ? `${id}-note` : undefined}
      onChange={({ target }) => onText?.(target.value)}
      {...attributes}
    >
      {choices?.map(([value, name]) => (
        <option key={value} value={value}>
          {name}
        </option>
      ))}
    </Control>
  );
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {end ? (
        <div className="input-row">
          {control}
          {end}
        </div>
      ) : (
        control
      )}
      {text && (
        <p
          className={`field-note ${fault ? 'error' : ''}`}
          id={`${id}-note`}
          role={fault && !isQuiet ? 'alert' : undefined}
        >
          {fault && <Icon name="alert" />}
          {text}
        </p>
      )}
      {children}
    </div>
  );
}
