import type { ReactNode } from 'react';
interface FaultProps {
    id?: string;
    /** Not announced: its field refers to it, or it is in a live region. */
    isQuiet?: boolean;
    children: ReactNode;
}
/** What is wrong with an input, or why an action failed. */
export declare function Fault({ id, isQuiet, children }: FaultProps): import("react").JSX.Element;
export {};
