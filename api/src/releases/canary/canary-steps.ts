import type { CanaryProgress } from '../../contract/compositions.ts';
import { languages } from '../../contract/language.ts';
import { ApiError } from '../../errors/errors.ts';
import { type CompositionStore, readComposition } from '../data/composition-store.ts';
import { readPointer } from '../data/move-pointer.ts';
import { type Pointer, type PointerCanary, promotion, restrictionOf, withCanary } from '../data/pointer.ts';
import { reasonOf } from '../data/reasons.ts';
import type { Composing } from '../live/composing.ts';
import { describeCanary } from '../live/describe-composition.ts';
import type { CanaryStatistics } from './canary-statistics.ts';

export function createCanarySteps(deps: {
  store: CompositionStore;
  statistics: Pick<CanaryStatistics, 'loadedPages'>;
  composing: Pick<Composing, 'move' | 'assertFit'>;
  now(): Date;
}) {
  const { store, statistics, composing, now } = deps;

  async function progressOf(pointer: Pointer, canary: PointerCanary) {
    const { plan, halted, paused, share } = canary;
    const loaded = await statistics.loadedPages(pointer, canary);
    const before = plan?.pagesBefore ?? {};
    const pages = Object.fromEntries(
      Object.entries(loaded).map(([part, count]) => [part, Math.max(0, count - (before[part] ?? 0))]),
    );
    const next = plan?.steps.find((step) => step > share);
    if (!plan || next === undefined) return { loaded, pages, next: null, waitsFor: null, nextAt: null };
    const nextAt = new Date(plan.since.getTime() + plan.everyMs);
    const isShort = Object.values(pages).some((count) => count < plan.minPages);
    const restriction = restrictionOf(pointer, Object.keys(loaded), now());
    const waitsFor = (): CanaryProgress['waitsFor'] => {
      if (halted) return 'restart';
      if (paused) return 'resume';
      if (restriction) return 'part' in restriction ? 'pin' : 'freeze';
      if (nextAt > now()) return 'time';
      return isShort ? 'pages' : null;
    };
    return { loaded, pages, next: { plan, share: next }, waitsFor: waitsFor(), nextAt };
  }

  /** Takes the next step if it is due. The last one makes the canary live. */
  async function advanceOne(pointer: Pointer, canary: PointerCanary): Promise<void> {
    const { loaded, pages, next, waitsFor } = await progressOf(pointer, canary);
    if (!next || waitsFor !== null) return;
    const { plan, share } = next;
    const count = Math.min(...Object.values(pages));
    const reason = reasonOf('step', { before: canary.share, share, count });
    if (share === 100) return goLive(pointer, canary, reason);
    const stepped = { ...canary, share, plan: { ...plan, since: now(), pagesBefore: loaded } };
    const note = { kind: 'step', author: 'canary', reason, canary: stepped } as const;
    await composing.move(pointer, withCanary(pointer, stepped), note);
  }

  /** The last step. The check is repeated, since files may have been lost and other canaries may have gone live. */
  async function goLive(pointer: Pointer, canary: PointerCanary, reason: string) {
    const composition = await readComposition(store, canary.composition);
    if (!composition) return;
    const refusals = await Promise.all(
      languages.map((language) => refusalOf(composing.assertFit(composition, language))),
    );
    if (refusals.some((refusal) => refusal !== null)) {
      const halted = { at: now(), reason: refusals.join('\n') };
      const stopped = { ...canary, halted };
      const note = { kind: 'halt', author: 'canary', reason: halted.reason, canary: stopped } as const;
      await composing.move(pointer, withCanary(pointer, stopped), note);
      return;
    }
    const note = { kind: 'promote', author: 'canary', reason, canary } as const;
    await composing.move(pointer, promotion(pointer, canary), note);
  }

  return {
    /** Any process may do so at any time: a step is a move of the pointer, which one of them makes. */
    async advance(): Promise<void> {
      const due = (await readPointer(store))?.canaries ?? [];
      for (const { id } of due) {
        // Read again: the previous step has moved the pointer.
        const pointer = await readPointer(store);
        const canary = pointer?.canaries.find((one) => one.id === id);
        if (!pointer || !canary?.plan) continue;
        await advanceOne(pointer, canary).catch(ignoreLostRace);
      }
    },
    async progress(): Promise<CanaryProgress[]> {
      const pointer = await readPointer(store);
      if (!pointer) return [];
      return Promise.all(
        pointer.canaries.map(async (canary) => {
          const { pages, next, waitsFor, nextAt } = await progressOf(pointer, canary);
          const composition = await readComposition(store, canary.composition);
          return {
            ...describeCanary(canary, composition!),
            pages,
            waitsFor,
            nextShare: next?.share ?? null,
            nextAt: nextAt?.toISOString() ?? null,
          };
        }),
      );
    },
  };
}

/** The message of a failed check; null if it passed. */
async function refusalOf(check: Promise<void>): Promise<string | null> {
  try {
    await check;
    return null;
  } catch (cause) {
    if (!(cause instanceof ApiError) || cause.error !== 'check_failed') throw cause;
    return cause.details.findings?.[0]?.message ?? cause.message;
  }
}

/** Another process has moved the pointer: its next evaluation continues. */
function ignoreLostRace(cause: unknown): void {
  if (!(cause instanceof ApiError) || cause.error !== 'conflict') throw cause;
}
