import type { TokenScope } from '../../contract/tokens.ts';

/** Whether `scopes` permit `needed`: `admin` permits everything, `release:*` every release. */
export function permits(scopes: readonly string[], needed: TokenScope): boolean {
  const [kind, name] = needed.split(':', 2);
  return (
    scopes.includes('admin') ||
    scopes.includes(needed) ||
    (name !== undefined && scopes.includes(`${kind}:*`)) ||
    // Previews are part of composing: `--smoke` opens one.
    (needed === 'preview' && hasAny(scopes, 'compose'))
  );
}

/** Whether `scopes` contain one of this kind, for any remote or environment. */
export function hasAny(scopes: readonly string[], kind: 'release' | 'compose'): boolean {
  return scopes.some((scope) => scope === 'admin' || scope.startsWith(`${kind}:`));
}
