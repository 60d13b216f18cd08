import type { Language } from '../contract/language.ts';
import type { Say as SayIn } from '../i18n/texts-of.ts';

export type Say = SayIn<'cli-compose'>;
export type SayRelease = SayIn<'cli-release'>;

/** The context shared by the parts of `release`. */
export interface ReleaseContext {
  language: Language;
  say: SayRelease;
  progress(text: string): void;
  signal: AbortSignal;
}
