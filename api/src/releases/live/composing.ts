import type { Logger } from 'pino';
import type {
  ChangeNote,
  CheckReport,
  CompositionChoice,
  CompositionInfo,
  MoveKind,
  PointerInfo,
  PromotedFrom,
  RollBack,
  SetComposition,
  SetPointer,
} from '../../contract/compositions.ts';
import type { Language } from '../../contract/language.ts';
import { ApiError, invalidRequest, notFound } from '../../errors/errors.ts';
import type { Check, CheckOptions } from '../check/create-check.ts';
import { changesBetween, releasesOf } from '../data/changes-between.ts';
import {
  type Composition,
  type CompositionStore,
  compositionsById,
  findComposition,
  readComposition,
  storesOf,
} from '../data/composition-store.ts';
import {
  changedBy,
  type MoveNote,
  movePointer,
  type PointerChange,
  pointerAfter,
  readPointer,
  readPointerAt,
} from '../data/move-pointer.ts';
import {
  assertUnrestricted,
  type LiveWatchState,
  newRun,
  type Pointer,
  type PointerState,
} from '../data/pointer.ts';
import type { ReleaseHealth, Verdict } from '../health/release-health.ts';
import { chooseComposition, storeComposition } from './compose.ts';
import { describeComposition, describePointer } from './describe-composition.ts';

/** Number of past moves considered. */
const MAX_MOVES = 200;

/**
 * Target of a rollback without an explicit one: of the previously live compositions, the latest with the
 * fewest releases that pages reported as failing. null if it is no better than the live one, so that
 * rollbacks do not alternate between two failing compositions.
 */
async function findRollbackTarget(
  pointer: PointerState,
  verdicts: ReadonlyMap<string, Verdict>,
  store: CompositionStore,
): Promise<string | null> {
  const { composition: live, previous } = pointer;
  if (previous === null || ![...verdicts.values()].includes('failing')) return previous;
  const recent = await store.moves.find().sort({ _id: -1 }).limit(MAX_MOVES).lean();
  const before = recent.flatMap(({ composition, from }) => [composition, from]);
  const ids = [...new Set([previous, ...before])].filter((id) => id !== null && id !== live);
  const known = await compositionsById(store, [live, ...ids]);
  const failing = (id: string | null) => {
    const one = known.get(id ?? '');
    if (!one) return Number.POSITIVE_INFINITY;
    return releasesOf(one).filter((release) => verdicts.get(release) === 'failing').length;
  };
  const least = Math.min(...ids.map(failing));
  if (least > 0 && least >= failing(live)) return null;
  return ids.find((id) => failing(id) === least) ?? null;
}

/** For promoting a canary and for a rollback: their guards were accepted when the composition was chosen. */
const GUARDS_ACCEPTED: CheckOptions = { allowWeakerGuard: true };

export interface ComposingDeps {
  store: CompositionStore;
  check: Check;
  /** If omitted, no release has a known verdict. */
  health?: ReleaseHealth;
  log: Pick<Logger, 'info' | 'warn'>;
  now(): Date;
}

/** The live composition; both null if there has never been one. */
interface Live {
  pointer: Pointer | null;
  live: Composition | null;
}

/** A composition that may go live, with the state that this decision was based on. */
export interface Prepared extends Live {
  composition: Composition;
  /** Warnings of the check for the response, or `{}`. */
  checkResult: Pick<PointerInfo, 'warnings'>;
}

export type Composing = ReturnType<typeof createComposing>;

/** How often one change is composed again because others moved the pointer meanwhile. */
const MAX_REBASES = 20;

function isPointerMoved(cause: unknown): boolean {
  return cause instanceof ApiError && cause.details.field === 'revision';
}

/** Whether `request` names only remotes that did not change from `before` to `after`, and no revision that it depends on. */
function isIndependent(request: SetComposition, before: Composition | null, after: Composition | null) {
  const { composition, releases = [], without = [], revision } = request;
  if (composition !== undefined || revision !== undefined) return false;
  const names = [...releases.map((release) => release.split('@')[0]), ...without];
  const changed = after ? changesBetween(before, after) : [];
  return !changed.some(({ name }) => names.includes(name));
}

/** Changes the live composition. Each change is one compare-and-set on the pointer, and is logged. */
export function createComposing({ store, check, health, log, now }: ComposingDeps) {
  const readVerdicts = async () => (await health?.verdicts()) ?? new Map<string, Verdict>();
  /** Stored compositions only: the pointer must never name anything else. */
  async function get(id: string): Promise<Composition> {
    const found = await readComposition(store, id);
    if (!found) throw notFound('composition', id);
    return found;
  }

  async function info(pointer: PointerState): Promise<PointerInfo> {
    const [live, canaries, rollbackTarget] = await Promise.all([
      get(pointer.composition),
      Promise.all(pointer.canaries.map(({ composition }) => get(composition))),
      readVerdicts().then((verdicts) => findRollbackTarget(pointer, verdicts, store)),
    ]);
    return describePointer(store.environment, pointer, live, canaries, rollbackTarget, now());
  }

  /** The live composition. Throws unless the pointer is at the revision in `note`. */
  async function readLive(note: Pick<ChangeNote, 'revision'> = {}): Promise<Live> {
    const pointer = await readPointerAt(store, note);
    return { pointer, live: pointer && (await get(pointer.composition)) };
  }

  async function choose(choice: CompositionChoice, note: ChangeNote): Promise<Omit<Prepared, 'checkResult'>> {
    const { pointer, live } = await readLive(note);
    return { pointer, live, composition: await composeUpon(live, choice, note) };
  }

  async function composeUpon(
    live: Composition | null,
    choice: CompositionChoice,
    { author, reason }: ChangeNote,
  ): Promise<Composition> {
    const verdicts = await readVerdicts();
    return chooseComposition(choice, { store, live, verdicts, author, reason, now: now() });
  }

  /** A composition that is already live is not checked: refusing it would change nothing. */
  async function refuseUnfit(
    { live, composition }: Pick<Prepared, 'live' | 'composition'>,
    language: Language,
    options: CheckOptions,
  ): Promise<Prepared['checkResult']> {
    if (composition._id === live?._id) return {};
    const { isFine, findings, warnings } = await check(composition, live, language, options);
    if (!isFine) throw new ApiError('check_failed', { findings });
    return warnings ? { warnings } : {};
  }

  async function prepare(choice: CompositionChoice, note: ChangeNote, language: Language): Promise<Prepared> {
    const chosen = await choose(choice, note);
    const prepared = { ...chosen, checkResult: await refuseUnfit(chosen, language, choice) };
    if (prepared.composition._id !== prepared.live?._id) await storeComposition(prepared.composition, store);
    return prepared;
  }

  async function move(from: Pointer | null, change: PointerChange, asked: MoveNote): Promise<PointerInfo> {
    const at = now();
    const by = changedBy();
    const note = { ...asked, ...by };
    if (!(await movePointer(store, from, change, note, at))) throw new ApiError('pointer_moved');
    const pointer = pointerAfter(from, change, note, at);
    log.info(
      {
        kind: note.kind,
        author: note.author,
        ...by,
        from: from?.composition ?? null,
        to: pointer.composition,
        ...(pointer.last.canary === null ? {} : { canary: pointer.last.canary, share: pointer.last.share }),
        revision: pointer.revision,
      },
      'the pointer was moved',
    );
    return info(pointer);
  }

  const audited = async <T>(
    kind: MoveKind,
    { reason: _, author, ...asked }: ChangeNote,
    work: () => Promise<T>,
  ): Promise<T> => {
    try {
      return await work();
    } catch (cause) {
      if (cause instanceof ApiError) {
        const findings = cause.details.findings?.map(({ rule, release }) => `${rule} ${release}`);
        const from = await readPointer(store).catch(() => null);
        log.warn(
          {
            kind,
            author,
            ...changedBy(),
            from: from?.composition ?? null,
            asked,
            error: cause.error,
            ...(findings ? { findings } : {}),
          },
          'a move of the pointer was refused',
        );
      }
      throw cause;
    }
  };

  function watchOf(pointer: Pointer, minutes: number): LiveWatchState {
    const startedAt = newRun(pointer, now());
    return { startedAt, until: new Date(startedAt.getTime() + minutes * 60_000), from: pointer.composition };
  }

  /** Going live ends canaries: they are based on the previous composition and would revert this. */
  async function goLive(
    { pointer, live, composition, checkResult }: Prepared,
    note: MoveNote,
    { force = false, watchMinutes }: { force?: boolean; watchMinutes?: number | undefined } = {},
  ): Promise<PointerInfo> {
    if (pointer?.composition === composition._id) return info(pointer);
    const changed = changesBetween(live, composition).map(({ name }) => name);
    if (!force) assertUnrestricted(pointer, changed, now());
    const watch = pointer && watchMinutes ? watchOf(pointer, watchMinutes) : undefined;
    const change = { composition: composition._id, canaries: [], mixes: [], ...(watch ? { watch } : {}) };
    return { ...(await move(pointer, change, note)), ...checkResult };
  }

  return {
    /** @throws notFound if nothing is live. */
    async pointer(): Promise<PointerInfo> {
      const pointer = await readPointer(store);
      if (!pointer) throw notFound('composition');
      return info(pointer);
    },
    info,
    /** Stores a composition without checking it or making it live. `isNew`: it did not exist before. */
    async keep(
      choice: CompositionChoice,
      note: ChangeNote,
    ): Promise<{ info: CompositionInfo; isNew: boolean }> {
      const { composition } = await choose(choice, note);
      const existing = await readComposition(store, composition._id);
      if (!existing) await storeComposition(composition, store);
      return { info: describeComposition(existing ?? composition), isNew: !existing };
    },

    /** With the note of the later change, the report has the id that will go live. */
    async check(choice: CompositionChoice, note: ChangeNote, language: Language): Promise<CheckReport> {
      const { live, composition } = await choose(choice, note);
      return check(composition, live, language, choice);
    },

    /**
     * Composes, checks and stores `choice`. Returns the live composition if it is equal.
     * @throws pointer_moved if `note.revision` is not the pointer's revision, check_failed, and what
     * `chooseComposition` throws.
     */
    prepare,
    /** Composes `choice` upon the composition `base` instead of the live one, checks and stores it. @throws check_failed. */
    async combine(id: string, choice: CompositionChoice, note: ChangeNote, language: Language) {
      const base = await get(id);
      const composition = await composeUpon(base, choice, note);
      await refuseUnfit({ live: base, composition }, language, choice);
      await storeComposition(composition, store);
      return composition;
    },
    /** @throws check_failed. */
    async assertFit(composition: Composition, language: Language): Promise<void> {
      await refuseUnfit({ ...(await readLive()), composition }, language, GUARDS_ACCEPTED);
    },
    /** Moves the pointer if it is still where it was read. @throws pointer_moved otherwise. */
    move,
    /** Runs `work`; if it is refused, logs this with all fields of the request that describe its target. */
    audited,

    /** `promotedFrom`: see `assertPromotion`. */
    set: (request: SetPointer, language: Language): Promise<PointerInfo> =>
      audited(request.promotedFrom ? 'promote' : 'set', request, async () => {
        const { author, reason, promotedFrom, watchMinutes } = request;
        if (promotedFrom) await assertPromotion(promotedFrom, request, store);
        const kind = promotedFrom ? 'promote' : 'set';
        const note = { kind, author, reason, ...(promotedFrom ? { promotedFrom } : {}) } as const;
        const first = await prepare(request, request, language);
        let prepared = first;
        for (let rebases = 0; ; rebases++)
          try {
            return await goLive(prepared, note, { watchMinutes });
          } catch (cause) {
            if (!isPointerMoved(cause) || rebases === MAX_REBASES) throw cause;
            prepared = await prepare(request, request, language);
            if (!isIndependent(request, first.live, prepared.live)) throw cause;
          }
      }),

    rollBack: (request: RollBack, language: Language): Promise<PointerInfo> =>
      audited('rollback', request, async () => {
        const { author, reason, to, force = false } = request;
        const { pointer, live } = await readLive(request);
        const aim = to ?? (pointer && (await findRollbackTarget(pointer, await readVerdicts(), store)));
        if (!aim) throw notFound(pointer?.previous ? 'working' : 'previous');
        // Exactly this composition goes live again: it names its own fallbacks, not the composition that is
        // being left.
        const composition = await findComposition(store, aim);
        const checkResult = await refuseUnfit({ live, composition }, language, GUARDS_ACCEPTED);
        const prepared = { pointer, live, composition, checkResult };
        return goLive(prepared, { kind: 'rollback', author, reason }, { force });
      }),
  };
}

/**
 * Throws unless the releases of `choice` are live in the environment of `from`. What another server says about
 * itself cannot be verified here; the caller has copied and compared the releases.
 * @throws invalidRequest, promotion_source_moved.
 */
async function assertPromotion(from: PromotedFrom, choice: CompositionChoice, store: CompositionStore) {
  if (choice.composition !== undefined) throw invalidRequest('composition');
  if (from.server !== undefined) return;
  const source = (await storesOf(store)).find(({ environment }) => environment === from.environment);
  if (!source || source.environment === store.environment) throw invalidRequest('promotedFrom');
  const pointer = await readPointer(source);
  if (pointer?.composition !== from.composition || pointer.revision !== from.revision)
    throw new ApiError('promotion_source_moved');
  const tested = releasesOf(await readComposition(store, pointer.composition));
  if (!(choice.releases ?? []).every((release) => tested.includes(release))) throw invalidRequest('releases');
}
