import type {
  ChangeNote,
  CheckFinding,
  CheckReport,
  CompositionChoice,
  CompositionDiff,
  CompositionInfo,
  EnvironmentInfo,
  MoveInfo,
  PendingChange,
  PointerInfo,
} from 'api/contract/compositions';
import type { ReleaseDetails, ReleaseSummary } from 'api/contract/releases';
import type { Health } from 'api/contract/reports';
import type { CreatedToken, NewToken, TokenInfo } from 'api/contract/tokens';
import type { Http, HttpFailure } from '../contract.ts';
import type { Change } from './change.ts';

/** The error of a rejected change; `check_failed` has findings. */
export interface OpsFailure extends HttpFailure {
  findings?: CheckFinding[];
}

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: OpsFailure;
  }
}

/** Maximum number of releases in a menu. */
const CHOICES = 50;

const MAX_TOKENS = 100;
const PAGE = 20;

export type OpsCalls = ReturnType<typeof createOpsCalls>;

/**
 * The /ops/* calls of this screen. Reading needs the session, changing the ops token. All reject with OpsFailure.
 * @param token Returns the token of the current lease, '' for none.
 */
export function createOpsCalls(http: Http, token: () => string) {
  const byOps = () => (token() ? { headers: { Authorization: `Bearer ${token()}` } } : {});
  const read = async <T>(url: string, params: object = {}, signal?: AbortSignal) =>
    (await http.get<T>(url, { params, ...(signal ? { signal } : {}) })).data;

  const act = async <T>(url: string, body: object = {}) => (await http.post<T>(url, body, byOps())).data;

  return {
    pointer: (signal: AbortSignal): Promise<PointerInfo> => read('/ops/pointer', {}, signal),
    environments: async (signal: AbortSignal): Promise<EnvironmentInfo[]> =>
      (await read<{ environments: EnvironmentInfo[] }>('/ops/environments', {}, signal)).environments,
    health: (minutes: number, signal: AbortSignal): Promise<Health> =>
      read('/ops/health', { minutes }, signal),
    releases: (
      name: string,
      cursor: string | undefined,
      signal: AbortSignal,
    ): Promise<{ releases: ReleaseSummary[]; nextCursor: string | null }> =>
      read('/ops/releases', { name, limit: PAGE, ...(cursor ? { cursor } : {}) }, signal),
    release: (id: string, signal: AbortSignal): Promise<ReleaseDetails> =>
      read(`/ops/releases/${encodeURIComponent(id)}`, {}, signal),
    compositions: async (signal: AbortSignal): Promise<CompositionInfo[]> =>
      (await read<{ compositions: CompositionInfo[] }>('/ops/compositions', { limit: CHOICES }, signal))
        .compositions,
    composition: (id: string, signal: AbortSignal): Promise<CompositionInfo> =>
      read(`/ops/compositions/${encodeURIComponent(id)}`, {}, signal),
    diff: (from: string, to: string, signal: AbortSignal): Promise<CompositionDiff> =>
      read('/ops/diff', { from, to }, signal),
    history: (
      cursor: string | undefined,
      signal: AbortSignal,
    ): Promise<{ moves: MoveInfo[]; nextCursor: string | null }> =>
      read('/ops/history', { limit: PAGE, ...(cursor ? { cursor } : {}) }, signal),
    check: async (choice: CompositionChoice): Promise<CheckReport> =>
      (await http.post<CheckReport>('/ops/check', choice, byOps())).data,
    /** Resolves to the pending change if another token must approve it. */
    async change(
      change: Change,
      note: Required<ChangeNote>,
    ): Promise<PointerInfo | { change: PendingChange }> {
      const { method, url, body } = requestOf(change);
      const data = { ...body, ...note };
      return (await http.request<PointerInfo | { change: PendingChange }>({ method, url, data, ...byOps() }))
        .data;
    },
    /** Changes that were requested, newest first. */
    pendingChanges: async (signal: AbortSignal): Promise<PendingChange[]> =>
      (await read<{ changes: PendingChange[] }>('/ops/changes', { limit: CHOICES }, signal)).changes,
    approve: (id: string): Promise<PointerInfo> => act<PointerInfo>(`/ops/changes/${id}/approve`),
    reject: (id: string): Promise<PendingChange> => act<PendingChange>(`/ops/changes/${id}/reject`),
    /** Newest first. */
    tokens: async (signal: AbortSignal): Promise<TokenInfo[]> =>
      (
        await http.get<{ tokens: TokenInfo[] }>('/ops/tokens', {
          params: { limit: MAX_TOKENS },
          signal,
          ...byOps(),
        })
      ).data.tokens,
    createToken: (token: NewToken): Promise<CreatedToken> => act<CreatedToken>('/ops/tokens', token),
    revokeToken: (id: string): Promise<TokenInfo> => act<TokenInfo>(`/ops/tokens/${id}/revoke`),
  };
}

function requestOf(change: Change): { method: 'post' | 'patch'; url: string; body: object } {
  switch (change.kind) {
    case 'set':
      return { method: 'post', url: '/ops/pointer', body: change.choice };
    case 'promotion':
      return {
        method: 'post',
        url: '/ops/pointer',
        body: { ...change.choice, promotedFrom: change.promotedFrom },
      };
    case 'rollback':
      return { method: 'post', url: '/ops/pointer/rollback', body: { to: change.to } };
    case 'canary':
      return { method: 'post', url: '/ops/canary', body: { ...change.choice, share: change.share } };
    case 'share':
      return { method: 'patch', url: '/ops/canary', body: { share: change.share, ...named(change) } };
    case 'promote':
    case 'abort':
    case 'pause':
    case 'resume':
      return { method: 'post', url: `/ops/canary/${change.kind}`, body: named(change) };
  }
}

function named({ canary }: { canary?: string }): { canary?: string } {
  return canary === undefined ? {} : { canary };
}
