import { useTranslate } from 'host/ui/use-translate.ts';
import { createContext, useContext } from 'react';
import type { Desk, HostServices } from '../contract.ts';
import type { SwitchableI18n } from '../i18n/create-i18n.ts';
import type { createSavedContent } from '../offline/saved-content.ts';
import type { Composition } from '../remotes/composition.ts';
import type { PrefetchingLoader } from '../remotes/remote-loader.ts';
import type { RouteTable, ScreenId } from '../routes.ts';
import type { Connection } from '../session/connection.ts';
import type { Verdict } from '../session/guard.ts';
import type { MenuBadges } from '../session/menu-badges.ts';
import type { Operator } from '../session/operator.ts';
import type { SessionStore } from '../session/session-store.ts';
import type { SwitchableTheme } from '../theme/create-theme.ts';
import type { ToastStore } from '../toasts/toast-store.ts';
import type { HeldUpdates } from '../updates/create-updates.ts';
import { type FrameTranslate, frameTexts } from './frame-texts.ts';
import type { Navigation } from './navigation.ts';

/** The services of the frame, created once per page, so that the context never causes a render. */
export interface Shell {
  session: SessionStore;
  toasts: ToastStore;
  i18n: SwitchableI18n;
  theme: SwitchableTheme;
  /** The composition that this page was rendered with. */
  composition: Composition;
  routes: RouteTable;
  loader: PrefetchingLoader;
  navigation: Navigation;
  avatars: HostServices['avatars'];
  desk: Desk;
  t: FrameTranslate;
  loadTexts(): Promise<void>;
  updates: HeldUpdates;
  connection: Connection;
  guard(): Promise<Verdict>;
  badges: MenuBadges;
  operator: Operator;
  /** What screens have saved for visits while the server cannot be reached; undefined if the code fails to load. */
  openSaved(): Promise<ReturnType<typeof createSavedContent> | undefined>;
  /** What the account may do, such as `administer`; nothing if the server cannot be asked. */
  rights(): Promise<readonly string[]>;
  /** The services of a screen's remote: always the same object. */
  servicesOf(id: ScreenId): HostServices;
  /** Reports that a part of the frame has thrown and was removed. */
  reportPart(name: string, error: Error): void;
  /** Loads a screen in advance, unless the browser is saving data. */
  prefetch(id: ScreenId): void;
}

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
