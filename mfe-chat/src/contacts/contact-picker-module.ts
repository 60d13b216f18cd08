import { createLazyModule } from '../shared/lazy-module.ts';

export const contactPicker = createLazyModule(() => import('./contact-picker.tsx'));
