import { createLazyModule } from './lazy-module.ts';

export const threadMenu = createLazyModule(() => import('./thread-menu.tsx'));
