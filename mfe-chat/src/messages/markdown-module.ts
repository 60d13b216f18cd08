import { createLazyModule } from '../shared/lazy-module.ts';

export const markdown = createLazyModule(
  () => import(/* webpackChunkName: "markdown" */ 'host/ui/markdown/markdown.tsx'),
);
