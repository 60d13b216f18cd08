import { MenuButton } from 'host/ui/menu.tsx';
import { useStream } from 'host/ui/use-stream.ts';
import { useShell } from './shell.ts';
import { useFrameTranslate } from './use-translate.ts';

/** The avatar, and the account's menu. */
export function AccountMenu() {
  const { avatars, session, toasts } = useShell();
  const t = useFrameTranslate();
  const username = useStream(session.username$);
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
        { label: t('signOut'), icon: 'arrow', action: () => void leave() },
      ]}
    >
      <img className="avatar" src={avatars.user} alt="" width="28" height="28" />
    </MenuButton>
  );
}
