import { createLazyModule } from './lazy-module.ts';

export const pictureDialog = createLazyModule(() => import('./picture-dialog.tsx'));
