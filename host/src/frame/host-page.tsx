import type { ReactNode } from 'react';

/** A page of the host, with the controls in its header. */
export function HostPage({ controls, children }: { controls: ReactNode; children?: ReactNode }) {
  return (
    <main className="page" id="main" tabIndex={-1}>
      <header className="head">
        <span className="space" />
        {controls}
      </header>
      {children}
    </main>
  );
}
