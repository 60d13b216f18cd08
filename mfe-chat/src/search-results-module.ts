import { createLazyModule } from './lazy-module.ts';

export const searchResults = createLazyModule(() => import('./search-results.tsx'));
