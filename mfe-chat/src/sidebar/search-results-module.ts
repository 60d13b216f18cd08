import { createLazyModule } from '../shared/lazy-module.ts';

export const searchResults = createLazyModule(() => import('./search-results.tsx'));
