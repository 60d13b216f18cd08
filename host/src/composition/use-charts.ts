import { useEffect, useState } from 'react';
import type { HostServices } from '../contract.ts';
import type * as TrendCharts from './trend-charts.tsx';

type Charts = typeof TrendCharts;

let loaded: Charts | undefined;
let loading: Promise<Charts> | undefined;

/** The charts and their library, a chunk that only this screen loads. Without them tables are shown. */
export function useCharts(report: HostServices['report']): { charts: Charts | undefined; isBroken: boolean } {
  const [charts, setCharts] = useState(loaded);
  const [isBroken, setBroken] = useState(false);
  useEffect(() => {
    if (charts) return;
    let isHere = true;
    const attempt = (): Promise<void> =>
      load().then(
        (module) => {
          if (isHere) setCharts(module);
        },
        (error: unknown) => {
          if (!isHere) return;
          setBroken(true);
          void report(error)?.then(() => (isHere ? attempt() : undefined));
        },
      );
    void attempt();
    return () => {
      isHere = false;
    };
  }, [charts, report]);
  return { charts, isBroken: isBroken && !charts };
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
