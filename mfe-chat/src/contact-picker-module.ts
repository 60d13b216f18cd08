import { createLazyModule } from './lazy-module.ts';

export const contactPicker = createLazyModule(() => import('./contact-picker.tsx'));
