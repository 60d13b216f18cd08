import { type ComponentType, useEffect, useState } from 'react';
import { whenIdle } from '../when-idle.ts';
import { useDesk } from './desk.ts';

interface Props {
  /** Fetches the part. */
  load(): Promise<{ default: ComponentType }>;
  /** At once, and not when the browser has nothing better to do. */
  isUrgent?: boolean;
}

/** A part of the frame that no screen waits for. The desk stands as well without it. */
export function Later({ load, isUrgent = false }: Props) {
  const { loader } = useDesk();
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
