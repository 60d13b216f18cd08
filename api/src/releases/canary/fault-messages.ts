import { partsOf } from '../data/changes-between.ts';
import type { Composition } from '../data/composition-store.ts';
import { reasonOf } from '../data/reasons.ts';
import type { Fault } from './canary-analysis.ts';

/** The stored reason why a canary was halted. `composition` is the one in which the fault occurred. */
export function faultMessages(fault: Fault, composition: Composition | null): string {
  const chosen = partsOf(composition).find(({ name }) => name === fault.part);
  const release = chosen?.release ?? `${fault.part}@?`;
  const shared = { release, pages: count(fault.pages), livePages: count(fault.livePages) };
  if ('bad' in fault)
    return reasonOf(fault.what, { ...shared, bad: count(fault.bad), liveBad: count(fault.liveBad) });
  const { what, p75, liveP75 } = fault;
  return reasonOf('slower', { ...shared, what, own: shown(what, p75), other: shown(what, liveP75) });
}

function count(value: number): string {
  return value.toLocaleString('en');
}

function shown(what: 'LCP' | 'INP' | 'CLS', value: number): string {
  return what === 'CLS' ? value.toFixed(2) : `${count(Math.round(value))} ms`;
}
