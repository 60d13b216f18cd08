import { randomBytes } from 'node:crypto';
import type { Model } from 'mongoose';
import type { Logger } from 'pino';
import type { z } from 'zod';
import type { Config } from '../../config/config.ts';
import { type ChangeNote, PendingChange, type PointerInfo } from '../../contract/compositions.ts';
import type { Language } from '../../contract/language.ts';
import { ApiError, notFound } from '../../errors/errors.ts';
import { type PageRequest, readPage } from '../../store/cursor.ts';
import { defineModel } from '../../store/define-model.ts';
import { describeAs } from '../../store/describe-as.ts';
import { type DocumentOf, nullable, required } from '../../store/fields.ts';
import type { CompositionStore } from '../data/composition-store.ts';
import { PRODUCTION } from '../data/environment.ts';
import { readPointer, readPointerAt, recordAs } from '../data/move-pointer.ts';
import type { Tokens } from '../tokens/tokens.ts';

/** Time within which a change must be approved, in ms. */
const EXPIRES_AFTER_MS = 24 * 3_600_000;

/** A kind of change that may need approval. */
export interface ChangeKind<T> {
  kind: PendingChange['kind'];
  schema: z.ZodType<T>;
  apply(request: T, language: Language): Promise<PointerInfo>;
  /** Throws if it could not be applied now, so that nobody is asked to approve it. */
  check?(request: T, language: Language): Promise<unknown>;
  /** Whether it takes effect at once, in an emergency. */
  isUrgent?(request: T): Promise<boolean>;
}

type Note = { author: string; reason: string; revision?: number | undefined };
type By = { id: string; name: string; createdAt: Date };

export type Changes = ReturnType<typeof createChanges>;

export function createChanges(deps: {
  model: PendingChangeModel;
  store: CompositionStore;
  tokens: Pick<Tokens, 'isValid'>;
  config: Pick<Config, 'productionApprovals'>;
  log: Pick<Logger, 'info'>;
  now(): Date;
}) {
  const { model, store, tokens, config, log, now } = deps;
  const needsApproval = config.productionApprovals > 1 && store.environment === PRODUCTION;
  const kinds = new Map<string, ChangeKind<Note>>();

  function kindOf(name: string): ChangeKind<Note> {
    const kind = kinds.get(name);
    if (!kind) throw new Error(`no such kind of change: ${name}`);
    return kind;
  }

  async function describe(found: readonly PendingChangeDocument[]): Promise<PendingChange[]> {
    const open = found.filter(({ appliedAt, rejectedBy }) => !appliedAt && !rejectedBy);
    const revision = open.length > 0 ? ((await readPointer(store))?.revision ?? 0) : 0;
    // A process that was killed may have applied a change without recording that here.
    const moves = await store.moves
      .find({ _id: { $in: open.map((change) => change.revision + 1) } }, { change: 1 })
      .lean();
    const applied = new Set(moves.map(({ change }) => change));
    const at = now();
    const stateOf = (change: PendingChangeDocument): PendingChange['state'] => {
      if (change.appliedAt || applied.has(change._id)) return 'applied';
      if (change.rejectedBy) return 'rejected';
      if (change.revision !== revision) return 'outdated';
      return change.expiresAt > at ? 'waiting' : 'expired';
    };
    return found.map((change) => infoOf(change, stateOf(change)));
  }

  async function find(id: string): Promise<{ found: PendingChangeDocument; info: PendingChange }> {
    const found = await model.findById(id).lean();
    if (!found) throw notFound('change');
    const [info] = await describe([found]);
    return { found, info: info! };
  }

  async function keep(kind: PendingChange['kind'], request: Note, by: By): Promise<PendingChange> {
    const revision = (await readPointerAt(store, request))?.revision ?? 0;
    const requestedAt = now();
    const change: PendingChangeDocument = {
      _id: randomBytes(4).toString('hex'),
      kind,
      request: JSON.stringify({ ...request, revision }),
      revision,
      tokenId: by.id,
      tokenName: by.name,
      requestedAt,
      expiresAt: new Date(requestedAt.getTime() + EXPIRES_AFTER_MS),
      approvedBy: null,
      appliedAt: null,
      rejectedBy: null,
    };
    await model.create(change);
    log.info({ change: change._id, kind, token: by.name, revision }, 'a change of production was requested');
    return infoOf(change, 'waiting');
  }

  return {
    /** Must be called for each kind at the start: changes requested earlier, or in other processes, may be approved. */
    define<T extends Note>(kind: ChangeKind<T>): void {
      kinds.set(kind.kind, kind as unknown as ChangeKind<Note>);
    },

    /** Applies a change, or stores it until another token approves it. @throws pointer_moved */
    async submit(
      name: PendingChange['kind'],
      request: Note,
      by: By,
      language: Language,
    ): Promise<PointerInfo | { change: PendingChange }> {
      const { apply, check, isUrgent } = kindOf(name);
      if (!needsApproval || (await isUrgent?.(request))) return apply(request, language);
      await check?.(request, language);
      return { change: await keep(name, request, by) };
    },

    /**
     * Applies a pending change if the pointer has not moved since it was requested.
     * @throws notFound('change'), change_not_waiting, forbidden for the token that requested it and for those created
     * since, and the errors of applying it.
     */
    async approve(id: string, by: By, language: Language): Promise<PointerInfo> {
      const { found, info } = await find(id);
      if (found.tokenId === by.id) throw new ApiError('own_change');
      if (by.createdAt > found.requestedAt) throw new ApiError('token_newer_than_change');
      if (info.state === 'outdated') throw new ApiError('pointer_moved');
      if (info.state !== 'waiting') throw new ApiError('change_not_waiting');
      if (!(await tokens.isValid(found.tokenId))) throw new ApiError('change_token_revoked');
      const { apply, schema } = kindOf(found.kind);
      const request = schema.parse(JSON.parse(found.request));
      const open = { _id: id, rejectedBy: null, appliedAt: null };
      const done = await model.updateOne(open, { $set: { approvedBy: by.name } });
      if (done.matchedCount === 0) throw new ApiError('change_not_waiting');
      const as = { token: found.tokenName, approvedBy: by.name, change: id };
      try {
        const pointer = await recordAs(as, () => apply(request, language));
        await model.updateOne({ _id: id }, { $set: { appliedAt: now(), approvedBy: by.name } });
        log.info({ kind: found.kind, ...as }, 'a change of production was approved');
        return pointer;
      } catch (cause) {
        // Only an attempt that did not move the pointer: another approval may have been faster.
        await model.updateOne({ ...open, approvedBy: by.name }, { $set: { approvedBy: null } });
        throw cause;
      }
    },

    /** @throws notFound('change'), change_not_waiting. */
    async reject(id: string, by: By): Promise<PendingChange> {
      const { info } = await find(id);
      if (info.state === 'applied' || info.state === 'rejected') throw new ApiError('change_not_waiting');
      const done = await model.updateOne(
        { _id: id, rejectedBy: null, appliedAt: null, approvedBy: null },
        { $set: { rejectedBy: by.name } },
      );
      if (done.matchedCount === 0) throw new ApiError('change_not_waiting');
      log.info({ change: id, by: by.name }, 'a change of production was rejected');
      return { ...info, state: 'rejected', rejectedBy: by.name };
    },

    async list(request: PageRequest) {
      const { page, nextCursor } = await readPage(model, 'requestedAt', 'changes', request);
      return { changes: await describe(page), nextCursor };
    },
  };
}

function infoOf(change: PendingChangeDocument, state: PendingChange['state']): PendingChange {
  const { author, reason, revision: _, ...request } = JSON.parse(change.request) as ChangeNote & Requested;
  const names = namesIn(request);
  return describeAs(PendingChange, {
    ...change,
    request,
    names,
    author,
    reason,
    token: change.tokenName,
    state,
  });
}

/** The fields of requested changes that name something. */
type Requested = Partial<
  Record<'releases' | 'without', string[]> &
    Record<'composition' | 'to' | 'canary', string> & { share: number }
>;

function namesIn({ releases = [], without = [], composition, to, canary, share }: Requested): string[] {
  return [
    ...releases,
    ...without.map((name) => `−${name}`),
    ...[composition, to].flatMap((id) => (id === undefined ? [] : [id.slice(0, 8)])),
    ...(canary === undefined ? [] : [canary]),
    ...(share === undefined ? [] : [`${share}%`]),
  ];
}

/** Retention, in seconds (90 days). Applied changes stay in the history. */
const RETENTION_SECONDS = 90 * 86_400;

const fields = {
  _id: required(String),
  kind: required<PendingChange['kind']>(String),
  /** The validated body of the call, as JSON. */
  request: required(String),
  /** The pointer's revision that it is based on. */
  revision: required(Number),
  tokenId: required(String),
  tokenName: required(String),
  requestedAt: required(Date),
  expiresAt: required(Date),
  /** Set before it is applied, so that it cannot be rejected meanwhile. */
  approvedBy: nullable(String),
  appliedAt: nullable(Date),
  rejectedBy: nullable(String),
};

/** A requested change of production that waits for the approval of a second token. */
type PendingChangeDocument = DocumentOf<typeof fields>;

const { schema, create } = defineModel<PendingChangeDocument>('PendingChange', 'pending_changes', fields);
schema.index({ requestedAt: -1, _id: -1 });
schema.index({ expiresAt: 1 }, { expireAfterSeconds: RETENTION_SECONDS });

type PendingChangeModel = Model<PendingChangeDocument>;
export const createPendingChangeModel = create;
