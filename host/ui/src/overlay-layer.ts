import { createContext, useContext } from 'react';

const OverlayLayer = createContext<HTMLElement | null>(null);

/**
 * Provides an element above everything else in which dialogs, menus and popovers are rendered. Without it they are rendered where
 * they are used, in the browser's top layer.
 */
export const OverlayLayerProvider = OverlayLayer.Provider;

export function useOverlayLayer(): HTMLElement | null {
  return useContext(OverlayLayer);
}
