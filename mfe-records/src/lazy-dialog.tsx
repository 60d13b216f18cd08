import { type ComponentType, useEffect, useRef, useState } from 'react';

interface LazyDialogProps<P extends object> {
  /** Loads the dialog. Must be the same function at every render. */
  load(): Promise<ComponentType<P>>;
  dialog: P;
  onFailed(error: unknown): void;
}

/**
 * A dialog that is loaded when first opened. It neither suspends nor throws: if it fails to load, `onFailed` is called and the screen works
 * without it.
 */
export function LazyDialog<P extends object>({ load, dialog, onFailed }: LazyDialogProps<P>) {
  const [Shown, setShown] = useState<ComponentType<P> | null>(null);
  const failed = useRef(onFailed);
  failed.current = onFailed;
  useEffect(() => {
    let isHere = true;
    load().then(
      (component) => isHere && setShown(() => component),
      (error: unknown) => isHere && failed.current(error),
    );
    return () => {
      isHere = false;
    };
  }, [load]);
  return Shown ? <Shown {...dialog} /> : null;
}
