import type { ComponentProps, ReactNode } from 'react';
interface ButtonProps extends Omit<ComponentProps<'button'>, 'children' | 'className'> {
    label: ReactNode;
    /** An icon before the label. */
    icon?: string;
    /** Classes besides `button`: `primary`, `danger`, `danger-quiet`, `bare`, `small`, or those of a screen. */
    look?: string | undefined;
}
/** A button with a text. It does not submit a form unless `type` says so. */
export declare function Button({ label, icon, look, ...attributes }: ButtonProps): import("react").JSX.Element;
interface FileButtonProps extends Omit<ComponentProps<'input'>, 'className' | 'onChange' | 'type'> {
    label: ReactNode;
    icon: string;
    onFile(file: File | undefined): void;
}
/** A button that opens the browser's file chooser. The same file can be chosen again. */
export declare function FileButton({ label, icon, onFile, ...attributes }: FileButtonProps): import("react").JSX.Element;
export {};
