import { createLazyModule } from './lazy-module.ts';

export const answerReason = createLazyModule(() => import('./answer-reason.tsx'));
