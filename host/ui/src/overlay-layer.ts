import { createContext, useContext } from 'react';

const OverlayLayer = createContext<HTMLElement | null>(null);

/** The element in which dialogs, menus and popovers are rendered; without it in place, in the browser's top layer. */
export const OverlayLayerProvider = OverlayLayer.Provider;

export function useOverlayLayer(): HTMLElement | null {
  return useContext(OverlayLayer);
}
