import { type ReactNode, useEffect, useState } from 'react';
import type { Verdict } from '../session/guard.ts';
import { LoadingPage } from './loading-page.tsx';
import { SessionUnknown } from './remote-unavailable.tsx';
import { useShell } from './shell.ts';

/** Renders its children after POST /admin/auth has succeeded, and navigates to /login when the session ends, for example in another tab. */
export function Guarded({ controls, children }: { controls: ReactNode; children: ReactNode }) {
  const { guard, navigation, session } = useShell();
  const [verdict, setVerdict] = useState<Verdict>();
  const [attempt, setAttempt] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new `attempt` asks the server again
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
    return <SessionUnknown controls={controls} retry={() => setAttempt((count) => count + 1)} />;
  return <LoadingPage controls={controls} />;
}
