import { createLazyModule } from '../shared/lazy-module.ts';

export const markdown = createLazyModule(() => import('../markdown/markdown.tsx'));
