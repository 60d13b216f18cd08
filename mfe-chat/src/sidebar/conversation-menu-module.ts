import { createLazyModule } from '../shared/lazy-module.ts';

export const threadMenu = createLazyModule(() => import('./conversation-menu.tsx'));
