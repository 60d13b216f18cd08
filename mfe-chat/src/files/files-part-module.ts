import { createLazyModule } from '../shared/lazy-module.ts';

export const filesPart = createLazyModule(async () => (await import('./files-part.ts')).filesPart);
