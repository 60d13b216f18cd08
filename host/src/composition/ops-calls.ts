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
  const read = async <T>(url: string, signal: AbortSignal, params: object = {}) =>
    (await http.get<T>(url, { params, signal })).data;
  const act = async <T>(url: string, body: object = {}) => (await http.post<T>(url, body, byOps())).data;

  return {
    pointer: (signal: AbortSignal) => read<PointerInfo>('/ops/pointer', signal),
    environments: async (signal: AbortSignal) =>
      (await read<{ environments: EnvironmentInfo[] }>('/ops/environments', signal)).environments,
    health: (minutes: number, signal: AbortSignal) => read<Health>('/ops/health', signal, { minutes }),
    releases: (name: string, cursor: string | undefined, signal: AbortSignal) =>
      read<{ releases: ReleaseSummary[]; nextCursor: string | null }>('/ops/releases', signal, {
        name,
        limit: PAGE,
        cursor,
      }),
    release: (id: string, signal: AbortSignal) =>
      read<ReleaseDetails>(`/ops/releases/${encodeURIComponent(id)}`, signal),
    compositions: async (signal: AbortSignal) => {
      const params = { limit: CHOICES };
      return (await read<{ compositions: CompositionInfo[] }>('/ops/compositions', signal, params))
        .compositions;
    },
    composition: (id: string, signal: AbortSignal) =>
      read<CompositionInfo>(`/ops/compositions/${encodeURIComponent(id)}`, signal),
    diff: (from: string, to: string, signal: AbortSignal) =>
      read<CompositionDiff>('/ops/diff', signal, { from, to }),
    history: (cursor: string | undefined, signal: AbortSignal) =>
      read<{ moves: MoveInfo[]; nextCursor: string | null }>('/ops/history', signal, { limit: PAGE, cursor }),
    check: async (choice: CompositionChoice, signal: AbortSignal) =>
      (await http.post<CheckReport>('/ops/check', choice, { signal, ...byOps() })).data,
    /** Resolves to the pending change if another token must approve it. */
    async change(change: Change, note: Required<ChangeNote>) {
      const { method, url, body } = requestOf(change);
      const data = { ...body, ...note };
      return (await http.request<PointerInfo | { change: PendingChange }>({ method, url, data, ...byOps() }))
        .data;
    },
    /** Changes that were requested, newest first. */
    pendingChanges: async (signal: AbortSignal) =>
      (await read<{ changes: PendingChange[] }>('/ops/changes', signal, { limit: CHOICES })).changes,
    approve: (id: string) => act<PointerInfo>(`/ops/changes/${id}/approve`),
    reject: (id: string) => act<PendingChange>(`/ops/changes/${id}/reject`),
    /** Newest first. */
    tokens: async (signal: AbortSignal) => {
      const config = { params: { limit: MAX_TOKENS }, signal, ...byOps() };
      return (await http.get<{ tokens: TokenInfo[] }>('/ops/tokens', config)).data.tokens;
    },
    createToken: (token: NewToken) => act<CreatedToken>('/ops/tokens', token),
    revokeToken: (id: string) => act<TokenInfo>(`/ops/tokens/${id}/revoke`),
  };
}

function requestOf(change: Change): { method: 'post' | 'patch'; url: string; body: object } {
  switch (change.kind) {
    case 'set':
      return { method: 'post', url: '/ops/pointer', body: change.choice };
    case 'promotion': {
      const { choice, promotedFrom } = change;
      return { method: 'post', url: '/ops/pointer', body: { ...choice, promotedFrom } };
    }
    case 'rollback':
      return { method: 'post', url: '/ops/pointer/rollback', body: { to: change.to } };
    case 'canary':
      return { method: 'post', url: '/ops/canary', body: { ...change.choice, share: change.share } };
    case 'share': {
      const { share, canary } = change;
      return { method: 'patch', url: '/ops/canary', body: { share, canary } };
    }
    default:
      return { method: 'post', url: `/ops/canary/${change.kind}`, body: { canary: change.canary } };
  }
}
