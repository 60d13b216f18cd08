import { createLazyModule } from '../shared/lazy-module.ts';

export const conversationMenu = createLazyModule(() => import('./conversation-menu.tsx'));
