import type { HostServices, Translate } from 'host/contract';
import type { DateFormats } from 'host/ui/format-date.ts';
import { createLatePart } from 'host/ui/late-part.tsx';
import { LateDialog } from '../lib/late-dialog.tsx';
import type { Filter } from './filters/filter.ts';
import type { HistoryTexts } from './history-texts.ts';
import type { useErasing } from './use-erasing.ts';

const eraseDialog = createLatePart(() => import('./erase-dialog.tsx'));
const binDialog = createLatePart(() => import('./bin-dialog.tsx'));
const importDialog = createLatePart(() => import('./import-records.tsx'));

interface HistoryDialogsProps {
  services: HostServices;
  calendar: DateFormats;
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
  const { toasts } = services;
  return (
    <>
      {erasing.request && (
        <LateDialog part={eraseDialog} toasts={toasts} t={t} onClose={erasing.close}>
          {({ EraseDialog }) =>
            erasing.request && (
              <EraseDialog
                services={services}
                calendar={calendar}
                t={t}
                {...erasing.request}
                contact={filter.contact ?? ''}
                from={filter.from}
                to={filter.to}
                onClose={erasing.close}
                onErased={erasing.settle}
              />
            )
          }
        </LateDialog>
      )}
      {props.isBinOpen && (
        <LateDialog part={binDialog} toasts={toasts} t={t} onClose={onBinClosed}>
          {({ BinDialog }) => (
            <BinDialog
              services={services}
              calendar={calendar}
              t={t}
              onClose={onBinClosed}
              onChanged={onBroughtBack}
            />
          )}
        </LateDialog>
      )}
      {props.isImporting && (
        <LateDialog part={importDialog} toasts={toasts} t={t} onClose={onImportClosed}>
          {({ ImportRecords }) => (
            <ImportRecords services={services} t={t} onClose={onImportClosed} onImported={onBroughtBack} />
          )}
        </LateDialog>
      )}
    </>
  );
}
