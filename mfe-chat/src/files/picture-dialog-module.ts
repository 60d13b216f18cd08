import { createLazyModule } from '../shared/lazy-module.ts';

export const pictureDialog = createLazyModule(() => import('./picture-dialog.tsx'));
