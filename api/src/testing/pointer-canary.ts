import type { PointerCanary } from '../releases/data/pointer.ts';

/** A running canary of `composition` for 5 % of visitors. */
export function pointerCanary(composition: string, fields: Partial<PointerCanary> = {}): PointerCanary {
  return {
    id: composition,
    composition,
    share: 5,
    author: 'li',
    reason: '',
    startedAt: new Date(),
    halted: null,
    paused: null,
    plan: null,
    ...fields,
  };
}
