import { createContext, useContext } from 'react';

/** Labels of the buttons that dialogs and problems have in all screens. */
export interface Labels {
  close: string;
  cancel: string;
  retry: string;
}

/** For screens without dialogs and problems. */
export const noLabels: Labels = { close: '', cancel: '', retry: '' };

const LabelsContext = createContext(noLabels);

export const LabelsProvider = LabelsContext.Provider;

export const useLabels = () => useContext(LabelsContext);
