import { lateDialog } from '../lib/late-dialog.tsx';
import type { Filter } from './filters/filter.ts';
import type { useErasing } from './use-erasing.ts';

const EraseDialog = lateDialog(async () => (await import('./erase-dialog.tsx')).EraseDialog);
const BinDialog = lateDialog(async () => (await import('./bin-dialog.tsx')).BinDialog);
const ImportRecords = lateDialog(async () => (await import('./import-records.tsx')).ImportRecords);

interface HistoryDialogsProps {
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
  const { filter, erasing, onBinClosed, onImportClosed, onBroughtBack } = props;
  return (
    <>
      {erasing.request && (
        <EraseDialog
          {...erasing.request}
          contact={filter.contact ?? ''}
          from={filter.from}
          to={filter.to}
          onClose={erasing.close}
          onErased={erasing.settle}
        />
      )}
      {props.isBinOpen && <BinDialog onClose={onBinClosed} onChanged={onBroughtBack} />}
      {props.isImporting && <ImportRecords onClose={onImportClosed} onImported={onBroughtBack} />}
    </>
  );
}
