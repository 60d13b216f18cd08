import { type ReactNode, useEffect, useState } from 'react';
import type { Verdict } from '../session/guard.ts';
import { useDesk } from './desk.ts';
import { Unchecked } from './shut.tsx';
import { Waiting } from './waiting.tsx';

/** Shows its children once POST /admin/auth has allowed it, and leads away when the session goes, in another tab say. */
export function Guarded({ controls, children }: { controls: ReactNode; children: ReactNode }) {
  const { guard, navigation, session } = useDesk();
  const [verdict, setVerdict] = useState<Verdict>();
  const [attempt, setAttempt] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` is what asks again
  useEffect(() => {
    let isWanted = true;
    setVerdict(undefined);
    void guard().then((next) => isWanted && setVerdict(next));
    return () => {
      isWanted = false;
    };
  }, [guard, attempt]);

  useEffect(() => {
    if (verdict !== 'allowed') return;
    const leaving = session.token$.subscribe((token) => {
      if (!token) navigation.go('/login', { replace: true });
    });
    return () => leaving.unsubscribe();
  }, [verdict, session, navigation]);

  if (verdict === 'allowed') return children;
  if (verdict === 'unknown')
    return <Unchecked controls={controls} retry={() => setAttempt((count) => count + 1)} />;
  return <Waiting controls={controls} />;
}
