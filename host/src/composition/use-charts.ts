import { useEffect, useState } from 'react';
import type * as TrendCharts from './trend-charts.tsx';

type Charts = typeof TrendCharts;

let loaded: Charts | undefined;
let loading: Promise<Charts> | undefined;

/** The drawing part and its library, in a chunk that only this screen fetches. Tables do without it. */
export function useCharts(): { charts: Charts | undefined; isBroken: boolean } {
  const [charts, setCharts] = useState(loaded);
  const [isBroken, setBroken] = useState(false);
  useEffect(() => {
    if (charts) return;
    let isHere = true;
    load().then(
      (module) => isHere && setCharts(module),
      () => isHere && setBroken(true),
    );
    return () => {
      isHere = false;
    };
  }, [charts]);
  return { charts, isBroken };
}

function load(): Promise<Charts> {
  loading ??= import(/* webpackChunkName: "trend-charts" */ './trend-charts.tsx').then(
    (module) => {
      loaded = module;
      return module;
    },
    (reason) => {
      loading = undefined;
      throw reason;
    },
  );
  return loading;
}
