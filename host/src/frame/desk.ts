import { createContext, useContext } from 'react';
import type { HostServices } from '../contract.ts';
import type { SwitchableI18n } from '../i18n/create-i18n.ts';
import type { Composition } from '../remotes/composition.ts';
import type { PrefetchingLoader } from '../remotes/remote-loader.ts';
import type { RouteTable, ScreenId } from '../routes.ts';
import type { Connection } from '../session/connection.ts';
import type { Verdict } from '../session/guard.ts';
import type { MenuBadges } from '../session/menu-badges.ts';
import type { SessionStore } from '../session/session-store.ts';
import type { SwitchableTheme } from '../theme/create-theme.ts';
import type { ToastStore } from '../toasts/toast-store.ts';
import type { HeldUpdates } from '../updates/create-updates.ts';
import type { Say } from './frame-words.ts';
import type { Navigation } from './navigation.ts';

/** What the frame is made of. bootstrap.tsx makes one; it lives as long as the page, so nothing renders because of it. */
export interface Desk {
  session: SessionStore;
  toasts: ToastStore;
  i18n: SwitchableI18n;
  theme: SwitchableTheme;
  /** What this page was rendered with. */
  composition: Composition;
  routes: RouteTable;
  loader: PrefetchingLoader;
  navigation: Navigation;
  avatars: HostServices['avatars'];
  say: Say;
  updates: HeldUpdates;
  connection: Connection;
  guard(): Promise<Verdict>;
  badges: MenuBadges;
  /** The services of one screen: the same object every time. */
  servicesOf(id: ScreenId): HostServices;
  /** A part of the frame has thrown, and the desk is used without it. */
  reportPart(name: string, error: Error): void;
  /** Loads a screen ahead of a visit, where the visitor does not save data. */
  prefetch(id: ScreenId): void;
}

export const DeskContext = createContext<Desk | null>(null);

export function useDesk(): Desk {
  const desk = useContext(DeskContext);
  if (!desk) throw new Error('useDesk must be used within the frame');
  return desk;
}
