import { createLazyModule } from '../shared/lazy-module.ts';

export const noteCard = createLazyModule(() => import('./note-card.tsx'));
