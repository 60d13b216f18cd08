import type { HttpFailure } from '../contract.ts';

/** `unknown`: no answer came (offline), so nothing failed and nothing is taken from the visitor. */
export type Verdict = 'allowed' | 'refused' | 'unknown';

interface Options {
  /** POST /admin/auth with the token there is, if any. Resolves to the body. */
  ask(): Promise<unknown>;
  onAllowed(username: string): void;
  /** Clears the token, tells the visitor and leads to /login. */
  onRefused(): void;
}

/**
 * The check before a guarded place, anew at every visit: a session can be ended from elsewhere at any time. Without a token it
 * is asked all the same; the server's refusal is the answer.
 */
export function createGuard({ ask, onAllowed, onRefused }: Options): () => Promise<Verdict> {
  return async () => {
    const answer = await ask().catch((failure: HttpFailure) => failure);
    if (answer instanceof Error) {
      if ((answer as HttpFailure).status === 0) return 'unknown';
      onRefused();
      return 'refused';
    }
    const { code, data } = (answer ?? {}) as { code?: unknown; data?: { username?: unknown } };
    if (code !== 1) {
      onRefused();
      return 'refused';
    }
    if (typeof data?.username === 'string') onAllowed(data.username);
    return 'allowed';
  };
}
