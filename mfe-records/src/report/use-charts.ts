import { createLatePart, useLatePart } from '../late-part.tsx';

const charts = createLatePart(() => import(/* webpackChunkName: "bar-charts" */ './bar-charts.tsx'));

/** The drawing part and its library: a chunk that only /report fetches, once. Tables do without it. */
export const useCharts = () => useLatePart(charts);
