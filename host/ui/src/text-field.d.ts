import { type ComponentProps, type ReactNode, type RefObject } from 'react';
interface TextFieldProps extends Omit<ComponentProps<'input'>, 'className' | 'id' | 'onChange' | 'ref'> {
    label: ReactNode;
    inputRef?: RefObject<HTMLInputElement | null> | RefObject<HTMLTextAreaElement | null>;
    /** A field of several lines. */
    rows?: number;
    /** Below the field. */
    note?: ReactNode;
    /** What is wrong with the text, instead of the note. */
    fault?: string | undefined;
    onText?(text: string): void;
}
/** A text field with its label, and a note or what is wrong. All other properties are those of the field. */
export declare function TextField(props: TextFieldProps): import("react").JSX.Element;
export {};
