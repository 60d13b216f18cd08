import type { ExportRequest } from 'api/contract/archives';
import type { RecordFilter } from 'api/contract/search';
import type { Http, Translate } from 'host/contract';
import type { MenuItem } from 'host/ui/menu.tsx';
import type { Transfer } from '../lib/use-transfer.ts';
import { MAX_IDS, targetsOf } from './erase-scope.ts';
import { timeZone } from './filters/filter.ts';
import type { HistoryTexts } from './history-texts.ts';
import type { Selection } from './selection.ts';

interface Exports {
  http: Http;
  t: Translate<HistoryTexts>;
  transfer: Transfer;
  filter: RecordFilter;
}

/** Exports the selection, or all matching records, as PDF, JSON and CSV. */
export function createExports({ http, t, transfer, filter }: Exports) {
  const tooMany = t('selected.tooMany', { count: MAX_IDS });
  const print = (selection: Selection) =>
    transfer.saveAfter(t('transfer.pdf'), async (signal) => {
      const targets = await targetsOf(selection, filter, { http, signal, tooMany });
      const tz = timeZone();
      const body = 'ids' in targets && tz ? { ...targets, tz } : targets;
      return {
        name: `${t('file.records')}.pdf`,
        request: { method: 'POST', url: '/api/generate_pdf', body },
      };
    });
  const save = (selection: Selection, format: ExportRequest['format']) =>
    transfer.saveAfter(t(`transfer.${format}`), async (signal) => {
      const targets = await targetsOf(selection, filter, { http, signal, tooMany });
      const body: ExportRequest = { ...targets, format };
      return {
        name: `${t('file.records')}.${format}`,
        request: { method: 'POST', url: '/api/export', body },
      };
    });
  const items = (selection: Selection): MenuItem[] =>
    (['json', 'csv'] as const).map((format) => ({
      label: t(`export.${format}`),
      icon: 'download',
      action: () => save(selection, format),
    }));
  return { print, items };
}
