import { useTranslate } from 'host/ui/use-translate.ts';
import { createContext, useContext } from 'react';
import type { Shell } from '../create-shell.ts';
import { type FrameTranslate, frameTexts } from './frame-texts.ts';

/** Set once per page, so that it never causes a render. */
export const ShellContext = createContext<Shell | null>(null);

export function useShell(): Shell {
  const shell = useContext(ShellContext);
  if (!shell) throw new Error('useShell must be used within the frame');
  return shell;
}

/** A translator for the frame's texts in the current language; changes identity with the language. */
export function useFrameTranslate(): FrameTranslate {
  return useTranslate(useShell().i18n, frameTexts);
}
