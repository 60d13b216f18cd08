import type { Translate } from 'host/contract';
import type { ChartTexts } from 'host/ui/charts/chart.tsx';
import type { RecordTexts } from './texts.ts';

/** The texts of the chart with this title. */
export function chartTexts(t: Translate<RecordTexts>, chart: string): ChartTexts {
  return {
    showTable: t('showTable'),
    showChart: t('showChart'),
    showTableOf: t('showTable.of', { chart }),
    showChartOf: t('showChart.of', { chart }),
    tableOf: t('table.of', { chart }),
    failed: t('chart.failed'),
  };
}
