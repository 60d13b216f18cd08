import { createLazyModule } from './lazy-module.ts';

export const citationCard = createLazyModule(() => import('./citation-card.tsx'));
