import { createLazyModule } from './lazy-module.ts';

export const noteCard = createLazyModule(() => import('./note-card.tsx'));
