import { createLazyModule } from '../shared/lazy-module.ts';

export const answerReason = createLazyModule(() => import('./answer-reason.tsx'));
