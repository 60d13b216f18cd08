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

/** The /ops/* calls of this screen. Reading needs the session, changing the ops token. All reject with OpsFailure. */
export interface OpsCalls {
  pointer(signal: AbortSignal): Promise<PointerInfo>;
  environments(signal: AbortSignal): Promise<EnvironmentInfo[]>;
  health(minutes: number, signal: AbortSignal): Promise<Health>;
  releases(
    name: string,
    cursor: string | undefined,
    signal: AbortSignal,
  ): Promise<{ releases: ReleaseSummary[]; nextCursor: string | null }>;
  release(id: string, signal: AbortSignal): Promise<ReleaseDetails>;
  compositions(signal: AbortSignal): Promise<CompositionInfo[]>;
  composition(id: string, signal: AbortSignal): Promise<CompositionInfo>;
  diff(from: string, to: string, signal: AbortSignal): Promise<CompositionDiff>;
  history(
    cursor: string | undefined,
    signal: AbortSignal,
  ): Promise<{ moves: MoveInfo[]; nextCursor: string | null }>;
  check(choice: CompositionChoice): Promise<CheckReport>;
  /** Resolves to the pending change if another token must approve it. */
  change(change: Change, note: Required<ChangeNote>): Promise<PointerInfo | { change: PendingChange }>;
  /** Changes that were requested, newest first. */
  pendingChanges(signal: AbortSignal): Promise<PendingChange[]>;
  approve(id: string): Promise<PointerInfo>;
  reject(id: string): Promise<PendingChange>;
  /** Newest first. */
  tokens(signal: AbortSignal): Promise<TokenInfo[]>;
  createToken(token: NewToken): Promise<CreatedToken>;
  revokeToken(id: string): Promise<TokenInfo>;
}

/** Maximum number of releases in a menu. */
const CHOICES = 50;
/** Maximum number of tokens in the list. */
const MAX_TOKENS = 100;
const PAGE = 20;

/** @param token Returns the token of the current lease, '' for none. */
export function createOpsCalls(http: Http, token: () => string): OpsCalls {
  const byOps = () => (token() ? { headers: { Authorization: `Bearer ${token()}` } } : {});
  const read = async <T>(url: string, params: object = {}, signal?: AbortSignal) =>
    (await http.get<T>(url, { params, ...(signal ? { signal } : {}) })).data;

  const act = async <T>(url: string, body: object = {}) => (await http.post<T>(url, body, byOps())).data;

  return {
    pointer: (signal) => read('/ops/pointer', {}, signal),
    environments: async (signal) =>
      (await read<{ environments: EnvironmentInfo[] }>('/ops/environments', {}, signal)).environments,
    health: (minutes, signal) => read('/ops/health', { minutes }, signal),
    releases: (name, cursor, signal) =>
      read('/ops/releases', { name, limit: PAGE, ...(cursor ? { cursor } : {}) }, signal),
    release: (id, signal) => read(`/ops/releases/${encodeURIComponent(id)}`, {}, signal),
    compositions: async (signal) =>
      (await read<{ compositions: CompositionInfo[] }>('/ops/compositions', { limit: CHOICES }, signal))
        .compositions,
    composition: (id, signal) => read(`/ops/compositions/${encodeURIComponent(id)}`, {}, signal),
    diff: (from, to, signal) => read('/ops/diff', { from, to }, signal),
    history: (cursor, signal) => read('/ops/history', { limit: PAGE, ...(cursor ? { cursor } : {}) }, signal),
    check: async (choice) => (await http.post<CheckReport>('/ops/check', choice, byOps())).data,
    async change(change, note) {
      const { method, url, body } = requestOf(change);
      const data = { ...body, ...note };
      return (await http.request<PointerInfo | { change: PendingChange }>({ method, url, data, ...byOps() }))
        .data;
    },
    pendingChanges: async (signal) =>
      (await read<{ changes: PendingChange[] }>('/ops/changes', { limit: CHOICES }, signal)).changes,
    approve: (id) => act<PointerInfo>(`/ops/changes/${id}/approve`),
    reject: (id) => act<PendingChange>(`/ops/changes/${id}/reject`),
    tokens: async (signal) =>
      (
        await http.get<{ tokens: TokenInfo[] }>('/ops/tokens', {
          params: { limit: MAX_TOKENS },
          signal,
          ...byOps(),
        })
      ).data.tokens,
    createToken: (token) => act<CreatedToken>('/ops/tokens', token),
    revokeToken: (id) => act<TokenInfo>(`/ops/tokens/${id}/revoke`),
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
