import type { CanaryInfo, PointerInfo } from '../../contract/compositions.ts';
import { type Language, languages } from '../../contract/language.ts';
import { textsOf } from '../../i18n/texts-of.ts';

const textOf = textsOf('canary');

/** A reason to store: a line for each language, in their order, see `reasonIn`. */
export function reasonOf(...about: Parameters<typeof textOf>): string {
  return languages.map(textOf(...about)).join('\n');
}

/** The reason in the reader's language. Entered reasons have one line, reasons from `reasonOf` one line per language. */
export function reasonIn(language: Language, reason: string): string {
  const lines = reason.split('\n');
  return lines[languages.indexOf(language)] ?? lines[languages.indexOf('en')] ?? lines[0] ?? '';
}

/** The pointer as returned to callers, with reasons in one language. */
export function pointerIn(language: Language, pointer: PointerInfo): PointerInfo {
  const canaries = pointer.canaries.map((canary) => canaryIn(language, canary));
  return { ...pointer, canary: canaries[0] ?? null, canaries };
}

export function canaryIn<T extends CanaryInfo>(language: Language, canary: T): T {
  const { halted } = canary;
  return { ...canary, halted: halted && { ...halted, reason: reasonIn(language, halted.reason) } };
}
