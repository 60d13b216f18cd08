import { MenuButton } from 'host/ui/menu.tsx';
import { useStream } from 'host/ui/use-stream.ts';
import { useDesk } from './desk.ts';
import { useSay } from './use-say.ts';

/** The avatar, and the account's menu. */
export default function AccountMenu() {
  const { avatars, session, toasts } = useDesk();
  const say = useSay();
  const username = useStream(session.username$);
  const leave = async () => {
    try {
      await session.signOut();
      toasts.show({ kind: 'success', text: say('signedOut') });
    } catch {
      toasts.show({ kind: 'warning', text: say('signedOutHere') });
    }
  };
  return (
    <MenuButton
      className="icon-button"
      label={say('accountOf', { name: username })}
      title={username}
      items={[
        { label: say('account'), icon: 'lock', action: { to: '/account' } },
        { label: say('signOut'), icon: 'arrow', action: () => void leave() },
      ]}
    >
      <img className="avatar" src={avatars.user} alt="" width="28" height="28" />
    </MenuButton>
  );
}
