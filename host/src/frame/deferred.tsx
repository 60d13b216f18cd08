import { type ComponentType, useEffect, useState } from 'react';
import { whenIdle } from '../when-idle.ts';
import { useShell } from './shell.ts';

interface Props {
  /** Loads the part. */
  load(): Promise<{ default: ComponentType }>;
  /** Loads immediately instead of when the browser is idle. */
  isUrgent?: boolean;
}

/** An optional part of the frame that loads after the screen. The frame works without it. */
export function Deferred({ load, isUrgent = false }: Props) {
  const { loader } = useShell();
  const [Part, setPart] = useState<ComponentType>();
  useEffect(() => {
    let isWanted = true;
    const start = () =>
      void load().then(
        (part) => isWanted && setPart(() => part.default),
        (error: unknown) => void loader.whenLoaded(error)?.then(() => isWanted && start()),
      );
    const cancel = isUrgent ? start() : whenIdle(start);
    return () => {
      isWanted = false;
      cancel?.();
    };
  }, [load, isUrgent, loader]);
  return Part ? <Part /> : null;
}
