import type {
  CheckFinding,
  CompositionInfo,
  EnvironmentInfo,
  MoveInfo,
  PendingChange,
  PointerInfo,
  SetComposition,
} from 'api/contract/compositions';
import type { OpsSession, ReleaseDetails, ReleaseSummary } from 'api/contract/releases';
import type { Health, HealthRow } from 'api/contract/reports';
import type { CreatedToken, NewToken, TokenInfo, TokenScope } from 'api/contract/tokens';
import { type Answer, type Call, failure } from './stand-in-services.ts';

/** The ops token known to this server, and the short-lived token it issues. */
export const OPS_TOKEN = 'the-ops-token';
const SHORT_LIVED_TOKEN = 'ops.lease';

interface OpsServer {
  answer: Answer;
  pointer: PointerInfo;
  moves: MoveInfo[];
  /** Other environments. */
  environments: EnvironmentInfo[];
  health: Health;
  /** Findings of the next check. */
  findings: CheckFinding[];
  /** Warnings of the next check or change. */
  warnings: CheckFinding[];
  /** Scopes of the ops token. */
  scopes: TokenScope[];
  /** Whether changes are stored in `pending` until another token approves them. */
  needsApproval: boolean;
  pending: PendingChange[];
  tokens: TokenInfo[];
  /** Simulates that another operator makes a composition live. */
  moveByOthers(): void;
  /** Invalidates the issued tokens. */
  expire(): void;
}

const id = (digit: string) => digit.repeat(64);

/** A composition of a host and two remotes; `digit` repeated is its id. */
export function sampleComposition(digit: string, versions: Record<string, string> = {}): CompositionInfo {
  const part = (name: string) => {
    const version = versions[name] ?? '1.0.0';
    const release = `${name}@${version}`;
    return {
      name,
      release,
      version,
      base: `/chatbot/releases/${name}/${version}/`,
      digest: '',
      previous: null,
    };
  };
  return {
    id: id(digit),
    host: part('host'),
    remotes: [part('mfe-chat'), part('mfe-records')],
    parent: null,
    author: 'ops-li',
    reason: '',
    createdAt: '2026-07-15T01:20:00Z',
  };
}

/** The health of one version as reported by pages. */
export function sampleRow(remote: string, version: string, fields: Partial<HealthRow> = {}): HealthRow {
  return {
    remote,
    version,
    share: 100,
    loads: 1000,
    failures: 0,
    errors: 0,
    vitals: { LCP: { p75: 1240, count: 90 }, INP: { p75: 96, count: 70 }, CLS: { p75: 0.04, count: 90 } },
    series: [],
    lastErrors: [],
    ...fields,
  };
}

/** A change of production that was requested with the token `li`. */
export function samplePending(fields: Partial<PendingChange> = {}): PendingChange {
  return {
    id: '3f9c21aa',
    kind: 'set',
    request: {},
    names: ['mfe-chat@1.5.0'],
    author: 'li',
    reason: '',
    token: 'li',
    revision: 2,
    state: 'waiting',
    requestedAt: '2026-07-15T01:20:00Z',
    expiresAt: '2026-07-16T01:20:00Z',
    approvedBy: null,
    rejectedBy: null,
    ...fields,
  };
}

function sampleToken(name: string): TokenInfo {
  return {
    id: `id-of-${name}`,
    name,
    scopes: ['admin'],
    state: 'active',
    createdAt: '2026-07-14T01:20:00Z',
    createdBy: 'start',
    expiresAt: null,
    isConfigured: false,
    lastUsedAt: null,
    revokedAt: null,
    revokedBy: null,
  };
}

/** The /ops/* endpoints with a mutable live pointer, typed like the API. */
export function createOpsServer(): OpsServer {
  const before = sampleComposition('5', { 'mfe-records': '0.9.0' });
  const live = sampleComposition('7');
  const compositions = [live, before];
  let isKnown = true;
  const releases = ['mfe-chat', 'mfe-records', 'host'].flatMap((name) =>
    ['1.5.0', '1.0.0'].map((version) => sampleRelease(name, version)),
  );
  const server: OpsServer = {
    pointer: {
      environment: 'production',
      revision: 2,
      composition: live,
      previous: before.id,
      movedAt: live.createdAt,
      canary: null,
      canaries: [],
      freeze: null,
      pins: [],
      watch: null,
    },
    moves: [
      move(2, 'set', live.id, { from: before.id, reason: 'records are faster', changes: changeOfRecords() }),
      move(1, 'start', before.id, { author: 'start', reason: 'npm start' }),
    ],
    environments: [],
    health: {
      from: '2026-07-15T00:20:00Z',
      to: '2026-07-15T01:20:00Z',
      stepMs: 60_000,
      rows: [sampleRow('host', '1.0.0'), sampleRow('mfe-chat', '1.0.0')],
    },
    findings: [],
    warnings: [],
    scopes: ['admin'],
    needsApproval: false,
    pending: [],
    tokens: [sampleToken('ops')],
    moveByOthers() {
      const other = sampleComposition('b', { 'mfe-records': '1.1.0' });
      compositions.unshift(other);
      server.pointer = { ...server.pointer, revision: server.pointer.revision + 1, composition: other };
      server.moves.unshift(move(server.pointer.revision, 'set', other.id, { author: 'ops-chen' }));
    },
    expire() {
      isKnown = false;
    },
    answer: (call) => answer(call),
  };

  const requireToken = ({ headers }: Call) => {
    if (headers.Authorization !== `Bearer ${SHORT_LIVED_TOKEN}` || !isKnown)
      throw failure(401, 'ops_token_wrong', '运维令牌不对');
  };
  const compose = (choice: SetComposition): CompositionInfo => {
    if ('composition' in choice) return found(compositions, choice.composition);
    const versions = Object.fromEntries(
      [server.pointer.composition.host, ...server.pointer.composition.remotes].map((part) => [
        part.name,
        part.version,
      ]),
    );
    for (const release of choice.releases ?? []) {
      const [name = '', version = ''] = release.split('@');
      versions[name] = version;
    }
    const made = { ...sampleComposition('c', versions), author: choice.author, reason: choice.reason };
    compositions.unshift(made);
    return made;
  };
  const change = (call: Call, kind: MoveInfo['kind'], next: (body: never) => Partial<PointerInfo>) => {
    requireToken(call);
    const { revision, author, reason } = call.body as { revision: number; author: string; reason: string };
    if (revision !== server.pointer.revision) throw failure(409, 'conflict', '别人刚刚更改过');
    if (server.findings.length && kind !== 'abort')
      throw Object.assign(failure(422, 'check_failed', '检查没有通过'), { findings: server.findings });
    if (server.needsApproval) {
      const { revision: _, author: __, reason: ___, ...request } = call.body as Record<string, unknown>;
      const pending = samplePending({ kind: 'set', request, author, reason, revision });
      server.pending = [pending, ...server.pending];
      return { change: pending };
    }
    const old = server.pointer;
    server.pointer = { ...old, ...next(call.body as never), revision: revision + 1 };
    const { composition, canary } = server.pointer;
    const fields = { from: old.composition.id, author, reason, canary: canary?.composition.id ?? null };
    server.moves.unshift(move(server.pointer.revision, kind, composition.id, fields));
    const after = pointerOf(server);
    return server.warnings.length > 0 ? { ...after, warnings: server.warnings } : after;
  };
  const goTo = (composition: CompositionInfo) => ({
    composition,
    previous: server.pointer.composition.id,
    canary: null,
  });

  const answer: Answer = (call) => {
    const { method, url, params, body } = call;
    switch (`${method} ${url}`) {
      case 'POST /ops/session':
        if (call.headers.Authorization !== `Bearer ${OPS_TOKEN}`)
          throw failure(401, 'ops_token_wrong', '运维令牌不对');
        isKnown = true;
        return {
          token: SHORT_LIVED_TOKEN,
          expiresAt: new Date(Date.now() + 30 * 60_000).toISOString(),
          name: 'ops',
          scopes: server.scopes,
        } satisfies OpsSession;
      case 'GET /ops/changes':
        return { changes: server.pending, nextCursor: null };
      case 'GET /ops/tokens':
        requireToken(call);
        return { tokens: server.tokens, nextCursor: null };
      case 'POST /ops/tokens': {
        requireToken(call);
        const { name, scopes, expiresAt = null } = body as NewToken;
        const token = { ...sampleToken(name), scopes, expiresAt };
        server.tokens = [token, ...server.tokens];
        return { ...token, token: `desk_${'0'.repeat(64)}` } satisfies CreatedToken;
      }
      case 'GET /ops/pointer':
        return pointerOf(server);
      case 'GET /ops/environments':
        return { environments: [ownEnvironment(server.pointer), ...server.environments] };
      case 'GET /ops/health':
        return server.health;
      case 'GET /ops/history':
        return pageOf(server.moves, params);
      case 'GET /ops/compositions':
        return { compositions, nextCursor: null };
      case 'GET /ops/releases':
        return { releases: releases.filter(({ name }) => name === params.name), nextCursor: null };
      case 'GET /ops/diff':
        return diffOf(found(compositions, String(params.from)), found(compositions, String(params.to)));
      case 'POST /ops/check': {
        requireToken(call);
        const { length } = server.findings;
        const looked = { reachable: 12, names: 3 };
        return {
          composition: id('c'),
          isFine: length === 0,
          findings: server.findings,
          warnings: server.warnings,
          looked,
          tookMs: 340,
        };
      }
      case 'POST /ops/pointer':
        return change(call, 'set', (asked: SetComposition) => goTo(compose(asked)));
      case 'POST /ops/pointer/rollback':
        return change(call, 'rollback', ({ to }: { to: string }) => goTo(found(compositions, to)));
      case 'POST /ops/canary':
        return change(call, 'canary', (asked: SetComposition & { share: number }) => ({
          canary: {
            id: id('c'),
            composition: compose(asked),
            share: asked.share,
            author: asked.author,
            reason: asked.reason,
            startedAt: '2026-07-15T01:52:00Z',
            halted: null,
            paused: null,
            plan: null,
          },
        }));
      case 'PATCH /ops/canary':
        return change(call, 'share', ({ share }: { share: number }) => ({
          canary: { ...server.pointer.canary!, share },
        }));
      case 'POST /ops/canary/promote':
        return change(call, 'promote', () => goTo(server.pointer.canary!.composition));
      case 'POST /ops/canary/pause':
        return change(call, 'pause', ({ author, reason }: { author: string; reason: string }) => ({
          canary: { ...server.pointer.canary!, paused: { at: '2026-07-15T02:10:00Z', author, reason } },
        }));
      case 'POST /ops/canary/abort':
        return change(call, 'abort', () => ({ canary: null }));
    }
    const [, pendingId = '', verb] = /^\/ops\/changes\/(.+)\/(approve|reject)$/.exec(url) ?? [];
    if (verb) {
      requireToken(call);
      const one = found(server.pending, pendingId);
      server.pending = server.pending.map((change) =>
        change === one ? { ...change, state: verb === 'approve' ? 'applied' : 'rejected' } : change,
      );
      if (verb === 'reject') return { ...one, state: 'rejected' } satisfies PendingChange;
      const choice = { ...one.request, author: one.author, reason: one.reason } as SetComposition;
      server.pointer = { ...server.pointer, ...goTo(compose(choice)), revision: one.revision + 1 };
      return pointerOf(server);
    }
    const [, revoked = ''] = /^\/ops\/tokens\/(.+)\/revoke$/.exec(url) ?? [];
    if (revoked) {
      requireToken(call);
      const one = found(server.tokens, revoked);
      server.tokens = server.tokens.map((token) => (token === one ? { ...one, state: 'revoked' } : token));
      return found(server.tokens, revoked);
    }
    const [, kind, named = ''] = /^\/ops\/(compositions|releases)\/(.+)$/.exec(url) ?? [];
    if (method === 'GET' && kind === 'compositions') return found(compositions, named);
    if (method === 'GET' && kind === 'releases') return detailsOf(found(releases, decodeURIComponent(named)));
    throw failure(404, 'not_found', `no stand-in answers ${method} ${url} ${JSON.stringify(body ?? '')}`);
  };
  return server;
}

function move(
  revision: number,
  kind: MoveInfo['kind'],
  composition: string,
  fields: Partial<MoveInfo> = {},
): MoveInfo {
  const at = '2026-07-15T01:20:00Z';
  const nothing = { author: 'ops-li', reason: '', from: null, canary: null, share: null, changes: [] };
  return { revision, kind, at, composition, ...nothing, ...fields };
}

function ownEnvironment({ environment, revision, composition, movedAt }: PointerInfo): EnvironmentInfo {
  return { name: environment, isOwn: true, revision, composition, movedAt };
}

/** Tests may set a single canary. */
function pointerOf({ pointer }: OpsServer): PointerInfo {
  const { canary, canaries } = pointer;
  return { ...pointer, canaries: canaries.length > 1 || !canary ? canaries : [canary] };
}

function changeOfRecords() {
  return [{ name: 'mfe-records', from: '0.9.0', to: '1.0.0' }];
}

function found<T extends { id: string }>(all: readonly T[], named: string): T {
  const one = all.find((candidate) => candidate.id === named);
  if (!one) throw failure(404, 'not_found', `no ${named}`);
  return one;
}

function pageOf(moves: readonly MoveInfo[], { cursor, limit }: Call['params']) {
  const start = Number(cursor ?? 0);
  const end = start + Number(limit);
  return { moves: moves.slice(start, end), nextCursor: end < moves.length ? String(end) : null };
}

function sampleRelease(name: string, version: string): ReleaseSummary {
  return {
    id: `${name}@${version}`,
    name,
    version,
    base: `/chatbot/releases/${name}/${version}/`,
    contract: '1.2.0',
    commit: null,
    size: 40_000,
    fileCount: 2,
    publishedBy: 'ops',
    publishedAt: '2026-07-15T01:00:00Z',
    isLive: version === '1.0.0',
    yanked: null,
  };
}

function detailsOf(release: ReleaseSummary): ReleaseDetails {
  const file = (path: string, integrity: string) => ({
    path,
    size: release.size / 2,
    integrity,
    type: 'text/javascript',
  });
  return {
    ...release,
    digest: '',
    entry: 'remoteEntry.js',
    exposes: { './chat': { js: [], css: [] } },
    shared: { react: '^19.0.0' },
    routes: {},
    files: [file('same.js', 'sha384-same'), file(`chat.${release.version}.js`, `sha384-${release.version}`)],
  };
}

function diffOf(from: CompositionInfo, to: CompositionInfo) {
  const parts = [from.host, ...from.remotes].map((part) => {
    const other = [to.host, ...to.remotes].find(({ name }) => name === part.name)!;
    const isSame = part.version === other.version;
    const file = (version: string) => ({
      path: `${part.name}.${version}.js`,
      size: 2048,
      integrity: `sha384-${version}`,
      type: 'text/javascript',
    });
    return {
      name: part.name,
      from: part.version,
      to: other.version,
      added: isSame ? [] : [file(other.version)],
      removed: isSame ? [] : [file(part.version)],
      kept: isSame ? 0 : 3,
      bytes: isSame ? 0 : 1434,
      exposesAdded: isSame ? [] : ['./extra'],
      exposesRemoved: [],
      shared: isSame ? [] : [{ library: 'react', from: '^18.0.0', to: '^19.0.0' }],
      contract: { from: '1.2.0', to: '1.2.0' },
    };
  });
  return { from: from.id, to: to.id, parts, bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0) };
}
