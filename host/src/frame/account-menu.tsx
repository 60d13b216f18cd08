import { MenuButton } from 'host/ui/menu.tsx';
import { useStream } from 'host/ui/use-stream.ts';
import { useEffect, useState } from 'react';
import { whenIdle } from '../when-idle.ts';
import { useShell } from './shell.ts';
import { useFrameTranslate } from './use-frame-translate.ts';

/** Screen of the settings. A composition may lack it. */
const SETTINGS = '/settings';

/**
 * The avatar, and the account's menu. Administrators find the settings there: the server is asked while the browser is idle, so that the menu is complete
 * when it opens.
 */
export function AccountMenu() {
  const { avatars, session, toasts, routes, rights } = useShell();
  const [isAdministrator, setIsAdministrator] = useState(false);
  const t = useFrameTranslate();
  const username = useStream(session.username$);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another account
  useEffect(() => {
    setIsAdministrator(false);
    return whenIdle(() => {
      if (routes.at(SETTINGS)) void rights().then((all) => setIsAdministrator(all.includes('administer')));
    });
  }, [routes, rights, username]);
  const leave = async () => {
    try {
      await session.signOut();
      toasts.show({ kind: 'success', text: t('signedOut') });
    } catch {
      toasts.show({ kind: 'warning', text: t('signedOutHere') });
    }
  };
  return (
    <MenuButton
      className="icon-button"
      label={t('accountOf', { name: username })}
      title={username}
      items={[
        { label: t('account'), icon: 'lock', action: { to: '/account' } },
        ...(isAdministrator ? [{ label: t('settings'), icon: 'filter', action: { to: SETTINGS } }] : []),
        { label: t('signOut'), icon: 'leave', isApart: true, action: () => void leave() },
      ]}
    >
      <img className="avatar" src={avatars.user} alt="" width="28" height="28" />
    </MenuButton>
  );
}
