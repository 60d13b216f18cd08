import type { ComponentProps } from 'react';
interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
    icon: string;
    iconClassName?: string | undefined;
    /** Accessible name. */
    label: string;
    /** Shows the label to the mouse, too. */
    hasTitle?: boolean;
    isSmall?: boolean;
}
/** A button that shows only an icon. */
export declare function IconButton({ icon, iconClassName, label, hasTitle, isSmall, className, ...attributes }: IconButtonProps): import("react").JSX.Element;
export {};
