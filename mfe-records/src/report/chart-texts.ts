import type { ChartTexts } from 'host/ui/charts/chart.tsx';
import type { ReportTranslate } from './report-texts.ts';

/** The texts of the chart with this title. */
export function chartTexts(t: ReportTranslate, chart: string): ChartTexts {
  return {
    showTable: t('showTable'),
    showChart: t('showChart'),
    showTableOf: t('showTable.of', { chart }),
    showChartOf: t('showChart.of', { chart }),
    tableOf: t('table.of', { chart }),
    failed: t('chart.failed'),
  };
}
