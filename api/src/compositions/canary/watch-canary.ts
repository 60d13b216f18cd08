import type { Logger } from 'pino';
import type { CanaryTally, CanaryTallyModel } from '../../models/canary-tally.ts';
import type { Composition } from '../../models/composition.ts';
import type { PointerCanary } from '../../models/pointer.ts';
import type { CompositionStore } from '../composition-store.ts';
import { SLOTS } from '../health/slots.ts';
import { tallyId } from '../health/write-counts.ts';
import { movePointer, readPointer } from '../move-pointer.ts';
import { faultWords } from './fault-words.ts';
import { judgeCanary } from './judge.ts';

/** However many reports come in, the canary is looked at so often at most, in ms. */
const LOOK_EVERY = 2000;
/** Somebody may have moved the pointer meanwhile. */
const TRIES = 3;

export interface CanaryWatch {
  /** Halts the canary if what pages told so far speaks against it. Any process may do so, at any time. */
  look(): Promise<void>;
  /** Looks soon, because there is something new to look at. */
  soon(): void;
  stop(): Promise<void>;
}

export function createCanaryWatch(deps: {
  store: CompositionStore;
  tallies: CanaryTallyModel;
  log: Pick<Logger, 'warn'>;
  now(): Date;
}): CanaryWatch {
  const { store, tallies, log, now } = deps;
  let timer: NodeJS.Timeout | null = null;
  let looking: Promise<void> = Promise.resolve();
  let lookedAt = Number.NEGATIVE_INFINITY;
  let isStopped = false;

  const talliesOf = ({ startedAt }: PointerCanary, composition: string) =>
    tallies
      .find({
        _id: { $in: Array.from({ length: SLOTS }, (_, slot) => tallyId(startedAt, composition, slot)) },
      })
      .lean<CanaryTally[]>();

  async function look(): Promise<void> {
    for (let tries = 1; tries <= TRIES; tries += 1) {
      const pointer = await readPointer(store);
      const canary = pointer?.canary;
      if (!canary || canary.halted) return;
      const [own, other] = await Promise.all([
        talliesOf(canary, canary.composition),
        talliesOf(canary, pointer.composition),
      ]);
      const fault = judgeCanary(own, other);
      if (!fault) return;
      const at = now();
      const reason = faultWords(fault, await versionOf(fault.part, canary.composition));
      const change = { canary: { ...canary, halted: { at, reason } } };
      if (await movePointer(store, pointer, change, { kind: 'halt', author: 'canary', reason }, at)) {
        log.warn({ canary: canary.composition, share: canary.share, reason }, 'the canary stopped by itself');
        return;
      }
    }
  }

  async function versionOf(part: string, composition: string): Promise<string> {
    const found = await store.compositions.findById(composition).lean<Composition>();
    const chosen = found && [found.host, ...found.remotes].find(({ name }) => name === part);
    return chosen?.version ?? '?';
  }

  return {
    look,
    soon() {
      if (isStopped || timer) return;
      const wait = Math.max(0, lookedAt + LOOK_EVERY - performance.now());
      timer = setTimeout(() => {
        timer = null;
        lookedAt = performance.now();
        looking = looking
          .then(look)
          .catch((cause: unknown) => log.warn({ err: cause }, 'the canary could not be looked at'));
      }, wait).unref();
    },
    async stop() {
      isStopped = true;
      if (timer) clearTimeout(timer);
      await looking;
    },
  };
}
