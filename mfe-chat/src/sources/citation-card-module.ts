import { createLazyModule } from '../shared/lazy-module.ts';

export const citationCard = createLazyModule(() => import('./citation-card.tsx'));
