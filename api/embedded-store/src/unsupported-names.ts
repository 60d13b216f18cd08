import { type StoreError, unsupported } from './errors.ts';
import names from './unsupported-names.json' with { type: 'json' };

/**
 * Names of MongoDB 7.0 that the embedded store does not support. They are refused as "not supported", so that only a misspelt name is
 * refused as unknown. Source: MongoDB manual 7.0, "Operators" and "Aggregation Stages".
 */
const UNSUPPORTED: Readonly<Record<keyof typeof names, readonly string[]>> = names;

/** @param unknown MongoDB's error for a name that it does not know */
export const refusedName = (kind: keyof typeof UNSUPPORTED, name: string, unknown: StoreError): StoreError =>
  UNSUPPORTED[kind].includes(name) ? unsupported(name) : unknown;

/** The words of a list that is separated by blanks or line breaks. */
export function words(list: string): string[] {
  return list.trim().split(/\s+/);
}
