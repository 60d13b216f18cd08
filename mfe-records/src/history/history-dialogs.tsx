import type { HostServices, Translate } from 'host/contract';
import type { Calendar } from '../calendar.ts';
import type { Filter } from '../filters/filter.ts';
import { LazyDialog } from '../lazy-dialog.tsx';
import type { HistoryTexts } from './history-texts.ts';
import type { useErasing } from './use-erasing.ts';

const loadErase = async () => (await import('./erase-dialog.tsx')).EraseDialog;
const loadBin = async () => (await import('./bin-dialog.tsx')).BinDialog;
const loadImport = async () => (await import('./import-dialog.tsx')).ImportDialog;

interface HistoryDialogsProps {
  services: HostServices;
  calendar: Calendar;
  t: Translate<HistoryTexts>;
  filter: Filter;
  erasing: ReturnType<typeof useErasing>;
  isBinOpen: boolean;
  isImporting: boolean;
  onBinClosed(): void;
  onImportClosed(): void;
  /** Called when records were restored or imported. */
  onBroughtBack(): void;
}

/** Deletion, bin and import, each loaded when first opened. */
export function HistoryDialogs(props: HistoryDialogsProps) {
  const { services, calendar, t, filter, erasing, onBinClosed, onImportClosed, onBroughtBack } = props;
  const { report } = services;
  const failed = (close: () => void) => (error: unknown) => {
    close();
    void report(error);
    services.toasts.show({ kind: 'error', text: t('dialog.failed') });
  };
  return (
    <>
      {erasing.asked && (
        <LazyDialog
          load={loadErase}
          dialog={{
            services,
            calendar,
            t,
            ...erasing.asked,
            contact: filter.contact ?? '',
            from: filter.from,
            to: filter.to,
            onClose: erasing.close,
            onErased: erasing.settle,
          }}
          onFailed={failed(erasing.close)}
        />
      )}
      {props.isBinOpen && (
        <LazyDialog
          load={loadBin}
          dialog={{ services, calendar, t, onClose: onBinClosed, onChanged: onBroughtBack }}
          onFailed={failed(onBinClosed)}
        />
      )}
      {props.isImporting && (
        <LazyDialog
          load={loadImport}
          dialog={{ services, t, onClose: onImportClosed, onImported: onBroughtBack }}
          onFailed={failed(onImportClosed)}
        />
      )}
    </>
  );
}
