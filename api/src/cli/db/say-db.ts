import type { Say } from '../../i18n/texts-of.ts';

export type SayDb = Say<'cli-db'>;
