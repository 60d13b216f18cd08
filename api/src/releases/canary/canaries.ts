import type {
  CanaryChange,
  MoveKind,
  PointerInfo,
  SetComposition,
  ShareCanary,
  StepPlan,
} from '../../contract/compositions.ts';
import type { Language } from '../../contract/language.ts';
import { ApiError, notFound } from '../../errors/errors.ts';
import { changesBetween, partsOf, releasesOf } from '../data/changes-between.ts';
import { type Composition, type CompositionStore, readComposition } from '../data/composition-store.ts';
import { type PointerChange, readPointerAt } from '../data/move-pointer.ts';
import {
  assertUnrestricted,
  type CanaryMix,
  type CanaryPlan,
  compositionFor,
  newRun,
  type Pointer,
  type PointerCanary,
  promotion,
  subsetsOf,
  withCanary,
  withoutCanary,
} from '../data/pointer.ts';
import type { Composing } from '../live/composing.ts';
import type { CanaryStatistics } from './canary-statistics.ts';

/** A canary with a fixed share, or with a plan whose first step is its share. */
export type CanaryStart = SetComposition & { share: number; plan?: Required<StepPlan> };

/** Limit of simultaneous canaries: each further one doubles the number of compositions that visitors may get. */
const MAX_CANARIES = 4;

export type Canaries = ReturnType<typeof createCanaries>;

/**
 * Shows the next composition to a share of visitors first. Several canaries may run at once if they change
 * different parts; a visitor may be in any number of them. Each change is one move of the pointer. Changes other
 * than `begin` concern the canary `request.canary` (a part that it changes, or digits of its id), which may be
 * omitted if there is only one.
 */
export function createCanaries(deps: {
  store: CompositionStore;
  composing: Pick<Composing, 'prepare' | 'combine' | 'assertFit' | 'move' | 'audited'>;
  statistics: Pick<CanaryStatistics, 'loadedPages' | 'changedParts'>;
  now(): Date;
}) {
  const { store, composing, statistics, now } = deps;
  const { prepare, combine, assertFit, move, audited } = composing;

  /** The canary in the request. Throws if the pointer is no longer at the revision of the request. */
  async function find(request: CanaryChange): Promise<{ pointer: Pointer; canary: PointerCanary }> {
    const { canary: name } = request;
    const pointer = await readPointerAt(store, request);
    if (!pointer || pointer.canaries.length === 0) throw notFound('canary');
    const { canaries } = pointer;
    if (name === undefined && canaries.length > 1) throw new ApiError('canary_several');
    const fitting = await Promise.all(
      canaries.map(
        async (one) =>
          name === undefined ||
          (/^[0-9a-f]{6,64}$/.test(name) && [one.id, one.composition].some((id) => id.startsWith(name))) ||
          (await statistics.changedParts(pointer, one)).includes(name),
      ),
    );
    const canary = canaries.find((_, index) => fitting[index]);
    if (!canary) throw notFound('canary', name);
    return { pointer, canary };
  }

  /** One move of the pointer that changes or ends the canary of the request. */
  const change = (
    kind: MoveKind,
    request: CanaryChange,
    decide: (canary: PointerCanary, pointer: Pointer) => PointerChange | Promise<PointerChange>,
  ) =>
    audited(kind, request, async () => {
      const { author, reason } = request;
      const { pointer, canary: before } = await find(request);
      const change = await decide(before, pointer);
      const canary = change.canaries?.find(({ id }) => id === before.id) ?? before;
      return move(pointer, change, { kind, author, reason, canary });
    });

  /** The compositions of visitors who are in the new canary and in others. */
  async function mixesWith(
    pointer: Pointer,
    { live, composition }: { live: Composition; composition: Composition },
    request: CanaryStart,
    language: Language,
  ): Promise<CanaryMix[]> {
    const { author, reason, allowWeakerGuard = false } = request;
    const choice = { ...differenceOf(live, composition), allowWeakerGuard };
    const mixes: CanaryMix[] = [];
    for (const ids of subsetsOf(pointer.canaries.map(({ id }) => id)).filter(({ length }) => length > 0)) {
      const base = compositionFor(pointer, ids);
      if (base === undefined) continue;
      const mixed = await combine(base, choice, { author, reason }, language);
      mixes.push({ canaries: [...ids, composition._id], composition: mixed._id });
    }
    return mixes;
  }

  async function assertMayAdvance(pointer: Pointer, canary: PointerCanary): Promise<void> {
    assertUnrestricted(pointer, await statistics.changedParts(pointer, canary), now());
  }

  /** The plan at the beginning of a step. */
  async function stepOf(pointer: Pointer, canary: PointerCanary): Promise<CanaryPlan | null> {
    if (!canary.plan) return null;
    return { ...canary.plan, since: now(), pagesBefore: await statistics.loadedPages(pointer, canary) };
  }

  function restarted(pointer: Pointer, canary: PointerCanary): PointerCanary {
    const startedAt = newRun(pointer, now());
    const plan = canary.plan && { ...canary.plan, since: startedAt, pagesBefore: {} };
    return { ...canary, halted: null, paused: null, startedAt, plan };
  }

  return {
    /**
     * @throws conflict if another canary changes the same part, there are too many, or the choice is already live;
     * also everything that `Composing.prepare` throws. The composition of every combination with other canaries is
     * checked as well.
     */
    begin: (request: CanaryStart, language: Language): Promise<PointerInfo> =>
      audited('canary', request, async () => {
        const { author, reason, share, plan } = request;
        const { pointer, live, composition, checkResult } = await prepare(request, request, language);
        if (!pointer || !live) throw notFound('composition');
        if (pointer.composition === composition._id) throw new ApiError('canary_is_live');
        const own = changesBetween(live, composition).map(({ name }) => name);
        assertUnrestricted(pointer, own, now());
        const others = await Promise.all(
          pointer.canaries.map((one) => statistics.changedParts(pointer, one)),
        );
        if (others.flat().some((name) => own.includes(name))) throw new ApiError('canary_stands');
        if (others.length >= MAX_CANARIES) throw new ApiError('canary_too_many');
        const mixes = await mixesWith(pointer, { live, composition }, request, language);
        const startedAt = newRun(pointer, now());
        const canary: PointerCanary = {
          id: composition._id,
          composition: composition._id,
          share,
          author,
          reason,
          startedAt,
          halted: null,
          paused: null,
          plan: plan
            ? {
                steps: plan.steps,
                everyMs: plan.everySeconds * 1000,
                minPages: plan.minPages,
                since: startedAt,
                pagesBefore: {},
              }
            : null,
        };
        const change = { canaries: [...pointer.canaries, canary], mixes: [...pointer.mixes, ...mixes] };
        const note = { kind: 'canary', author, reason, canary } as const;
        return { ...(await move(pointer, change, note)), ...checkResult };
      }),

    /** Changes the share. A halted canary restarts, with empty statistics. @throws notFound. */
    share: (request: ShareCanary): Promise<PointerInfo> =>
      change('share', request, async (canary, pointer) => {
        const { share } = request;
        if (canary.halted || share > canary.share) await assertMayAdvance(pointer, canary);
        return withCanary(
          pointer,
          canary.halted
            ? { ...restarted(pointer, canary), share }
            : { ...canary, share, plan: await stepOf(pointer, canary) },
        );
      }),

    /** Suspends its plan; visitors keep their compositions. @throws notFound, conflict without a plan or if halted. */
    pause: (request: CanaryChange): Promise<PointerInfo> =>
      change('pause', request, (canary, pointer) => {
        if (canary.halted) throw new ApiError('canary_halted');
        if (!canary.plan) throw new ApiError('canary_no_plan');
        if (canary.paused) throw new ApiError('canary_paused');
        const { author, reason } = request;
        return withCanary(pointer, { ...canary, paused: { at: now(), author, reason } });
      }),

    /** Continues the plan of a paused canary, or restarts a halted one at its share. @throws notFound, conflict. */
    resume: (request: CanaryChange): Promise<PointerInfo> =>
      change('resume', request, async (canary, pointer) => {
        if (!canary.paused && !canary.halted) throw new ApiError('canary_not_paused');
        await assertMayAdvance(pointer, canary);
        const plan = canary.plan && { ...canary.plan, since: now() };
        return withCanary(
          pointer,
          canary.halted ? restarted(pointer, canary) : { ...canary, paused: null, plan },
        );
      }),

    /** Makes the canary live for everyone. @throws notFound, conflict if it has been halted, check_failed. */
    promote: (request: CanaryChange, language: Language): Promise<PointerInfo> =>
      change('promote', request, async (canary, pointer) => {
        await assertMayAdvance(pointer, canary);
        if (canary.halted) throw new ApiError('canary_halted');
        const composition = await readComposition(store, canary.composition);
        if (!composition) throw notFound('composition');
        await assertFit(composition, language);
        return promotion(pointer, canary);
      }),

    /** Ends the canary; nobody gets it any more. @throws notFound. */
    abort: (request: CanaryChange): Promise<PointerInfo> =>
      change('abort', request, ({ id }, pointer) => withoutCanary(pointer, id)),
  };
}

/** The choice that turns `from` into `to`. */
function differenceOf(from: Composition, to: Composition): { releases: string[]; without: string[] } {
  const before = releasesOf(from);
  const names = partsOf(to).map(({ name }) => name);
  return {
    releases: releasesOf(to).filter((release) => !before.includes(release)),
    without: partsOf(from).flatMap(({ name }) => (names.includes(name) ? [] : [name])),
  };
}
