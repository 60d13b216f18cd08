import { infiniteQueryOptions, type QueryKey, queryOptions } from '@tanstack/react-query';
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

/** Maximum numbers of compositions or changes, of tokens, and of entries of a page that are read at once. */
const CHOICES = 50;
const MAX_TOKENS = 100;
const PAGE = 20;

export type OpsCalls = ReturnType<typeof createOpsCalls>;

/**
 * The /ops/* calls of this screen; those that read are options of queries. Reading needs the session, changing the ops token. All reject with
 * OpsFailure.
 * @param token Returns the token of the current lease, '' for none.
 */
export function createOpsCalls(http: Http, token: () => string) {
  const byOps = () => (token() ? { headers: { Authorization: `Bearer ${token()}` } } : {});
  const get = async <T>(url: string, signal: AbortSignal, params: object = {}, config: object = {}) =>
    (await http.get<T>(url, { params, signal, ...config })).data;
  const read = <T>(url: string, params: object = {}) =>
    queryOptions({
      queryKey: [url, params] as QueryKey,
      queryFn: ({ signal }) => get<T>(url, signal, params),
    });
  const readPages = <T extends { nextCursor: string | null }>(url: string, params: object = {}) =>
    infiniteQueryOptions({
      queryKey: [url, params],
      queryFn: ({ pageParam: cursor, signal }) => get<T>(url, signal, { ...params, limit: PAGE, cursor }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ nextCursor }) => nextCursor,
    });
  const act = async <T>(url: string, body: object = {}) => (await http.post<T>(url, body, byOps())).data;

  return {
    pointer: read<PointerInfo>('/ops/pointer'),
    environments: read<{ environments: EnvironmentInfo[] }>('/ops/environments'),
    health: (minutes: number) => read<Health>('/ops/health', { minutes }),
    releases: (name: string) =>
      readPages<{ releases: ReleaseSummary[]; nextCursor: string | null }>('/ops/releases', { name }),
    release: (id: string, signal: AbortSignal) =>
      get<ReleaseDetails>(`/ops/releases/${encodeURIComponent(id)}`, signal),
    compositions: read<{ compositions: CompositionInfo[] }>('/ops/compositions', { limit: CHOICES }),
    composition: (id: string) => read<CompositionInfo>(`/ops/compositions/${encodeURIComponent(id)}`),
    diff: (from: string, to: string) => read<CompositionDiff>('/ops/diff', { from, to }),
    history: readPages<{ moves: MoveInfo[]; nextCursor: string | null }>('/ops/history'),
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
    pendingChanges: read<{ changes: PendingChange[] }>('/ops/changes', { limit: CHOICES }),
    approve: (id: string) => act<PointerInfo>(`/ops/changes/${id}/approve`),
    reject: (id: string) => act<PendingChange>(`/ops/changes/${id}/reject`),
    /** Newest first. */
    tokens: queryOptions({
      queryKey: ['/ops/tokens'],
      queryFn: ({ signal }) =>
        get<{ tokens: TokenInfo[] }>('/ops/tokens', signal, { limit: MAX_TOKENS }, byOps()),
    }),
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
