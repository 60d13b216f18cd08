import type { HttpFailure } from '../contract.ts';

/** `unknown`: the server could not be reached, so that the session stays. */
export type Verdict = 'allowed' | 'refused' | 'unknown';

interface Options {
  isSignedIn(): boolean;
  /** POST /admin/auth with the current token, if any. Resolves to the body. */
  authenticate(): Promise<unknown>;
  onAllowed(username: string): void;
  /** Clears the token, informs the visitor and navigates to /login. `wasSignedIn` when the check began. */
  onRefused(wasSignedIn: boolean): void;
}

/** Checks the session before every visit of a protected route, because it may have ended elsewhere. Guests are checked, too. */
export function createGuard({
  isSignedIn,
  authenticate,
  onAllowed,
  onRefused,
}: Options): () => Promise<Verdict> {
  return async () => {
    const wasSignedIn = isSignedIn();
    const result = await authenticate().catch((failure: HttpFailure) => failure);
    if (result instanceof Error && (result as HttpFailure).status === 0) return 'unknown';
    const { code, data } = (result ?? {}) as { code?: unknown; data?: { username?: unknown } };
    if (code !== 1) {
      onRefused(wasSignedIn);
      return 'refused';
    }
    if (typeof data?.username === 'string') onAllowed(data.username);
    return 'allowed';
  };
}
