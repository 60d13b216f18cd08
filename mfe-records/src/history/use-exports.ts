import type { ExportRequest } from 'api/contract/archives';
import type { RecordFilter } from 'api/contract/search';
import type { MenuItem } from 'host/ui/menu.tsx';
import { useTexts } from 'host/ui/screen.tsx';
import { useServices } from '../lib/services.ts';
import { historyTexts } from '../lib/texts.ts';
import type { Transfer } from '../lib/transfer.tsx';
import { MAX_IDS, type Targets, targetsOf } from './erase-scope.ts';
import { timeZone } from './filters/filter.ts';
import type { Selection } from './selection.ts';

/** Exports the selection, or all records that match the filter, as PDF, JSON and CSV. */
export function useExports(transfer: Transfer, filter: RecordFilter) {
  const t = useTexts(historyTexts);
  const { http } = useServices();
  const save = (
    selection: Selection,
    format: 'pdf' | ExportRequest['format'],
    url: string,
    bodyOf: (targets: Targets) => object,
  ) =>
    transfer.saveAfter(t(`transfer.${format}`), async (signal) => {
      const tooMany = t('selected.tooMany', { count: MAX_IDS });
      const targets = await targetsOf(selection, filter, { http, signal, tooMany });
      return {
        name: `${t('file.records')}.${format}`,
        request: { method: 'POST', url, body: bodyOf(targets) },
      };
    });
  return {
    print: (selection: Selection) =>
      save(selection, 'pdf', '/api/generate_pdf', (targets) => {
        const tz = timeZone();
        return 'ids' in targets && tz ? { ...targets, tz } : targets;
      }),
    items: (selection: Selection): MenuItem[] =>
      (['json', 'csv'] as const).map((format) => ({
        label: t(`export.${format}`),
        icon: 'download',
        action: () =>
          save(selection, format, '/api/export', (targets): ExportRequest => ({ ...targets, format })),
      })),
  };
}
