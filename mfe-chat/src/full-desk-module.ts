import { createLazyModule } from './shared/lazy-module.ts';

export const fullDeskModule = createLazyModule(async () => (await import('./full-desk.ts')).fullDesk);
