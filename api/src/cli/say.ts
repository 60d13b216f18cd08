import type { Say as SayIn } from '../i18n/texts-of.ts';

export type Say = SayIn<'cli-compose'>;
export type SayRelease = SayIn<'cli-release'>;
