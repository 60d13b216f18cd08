import { createLazyModule } from './lazy-module.ts';

export const markdown = createLazyModule(() => import('./markdown/markdown.tsx'));
