import type { HostServices } from 'host/contract';
import { useEffect, useState } from 'react';

/** Counts up when the owner changes (sign-in, sign-out, another tab): what was read is another one's then. */
export function useGeneration({ storage }: Pick<HostServices, 'storage'>): number {
  const [generation, setGeneration] = useState(0);
  useEffect(() => {
    // A stream that speaks at once tells of the owner that is there already.
    let isThere = false;
    const subscription = storage.owner$.subscribe(() => {
      if (isThere) setGeneration((before) => before + 1);
    });
    isThere = true;
    return () => subscription.unsubscribe();
  }, [storage]);
  return generation;
}
