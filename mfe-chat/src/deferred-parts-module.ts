import { createLazyModule } from './shared/lazy-module.ts';

export const deferredPartsModule = createLazyModule(
  async () => (await import('./deferred-parts.ts')).deferredParts,
);
