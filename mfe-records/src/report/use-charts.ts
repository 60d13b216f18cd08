import { createLatePart, useLatePart } from 'host/ui/late-part.tsx';

const charts = createLatePart(() => import(/* webpackChunkName: "bar-charts" */ './bar-charts.tsx'));

/** The charts and their library, a chunk that only /report loads. Without them tables are shown. */
export const useCharts = () => useLatePart(charts);
