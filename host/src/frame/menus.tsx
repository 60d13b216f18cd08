import { Icon } from 'host/ui/icon.tsx';
import { Menu, MenuButton } from 'host/ui/menu.tsx';
import { useStream } from 'host/ui/use-stream.ts';
import { useEffect, useState } from 'react';
import { whenIdle } from '../when-idle.ts';
import { useFrameTranslate, useShell } from './shell.ts';

/** Screens for administrators. A composition may lack them. */
const FOR_ADMINISTRATORS = [
  { text: 'settings', icon: 'filter', to: '/settings' },
  { text: 'people', icon: 'people', to: '/people' },
] as const;

/**
 * The avatar, and the account's menu. Administrators find their screens there: the server is asked while the browser is idle, so that the menu is complete
 * when it opens.
 */
export function AccountMenu() {
  const { avatars, session, toasts, routes, rights, operator } = useShell();
  const [isAdministrator, setIsAdministrator] = useState(false);
  const t = useFrameTranslate();
  const ofAdministrators = FOR_ADMINISTRATORS.filter(({ to }) => routes.at(to));
  const hasAny = ofAdministrators.length > 0;
  const username = useStream(session.username$);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another account
  useEffect(() => {
    setIsAdministrator(false);
    return whenIdle(() => {
      const show = (all: readonly string[]) => {
        setIsAdministrator(all.includes('administer'));
        if (all.includes('operate')) operator.note();
      };
      if (hasAny) void rights().then(show);
    });
  }, [hasAny, rights, operator, username]);
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
      label={t('accountOf', { name: username })}
      title={username}
      items={[
        { label: t('account'), icon: 'lock', action: { to: '/account' } },
        ...(isAdministrator ? ofAdministrators : []).map(({ text, icon, to }) => ({
          label: t(text),
          icon,
          action: { to },
        })),
        { label: t('signOut'), icon: 'leave', isApart: true, action: () => void leave() },
      ]}
    >
      <img className="avatar" src={avatars.user} alt="" width="28" height="28" />
    </MenuButton>
  );
}

const THEMES = ['light', 'dark', 'system'] as const;

export function ThemeMenu({ anchor, onClose }: { anchor: HTMLElement; onClose(): void }) {
  const { theme } = useShell();
  const t = useFrameTranslate();
  const chosen = useStream(theme.choice$);
  return (
    <Menu anchor={anchor} label={t('theme')} placement="bottom-end" onClose={onClose}>
      {THEMES.map((choice) => (
        <button
          key={choice}
          type="button"
          role="menuitemradio"
          aria-checked={choice === chosen}
          data-focus-first={choice === chosen || undefined}
          onClick={() => {
            onClose();
            theme.choose(choice);
          }}
        >
          {t(`theme.${choice}`)}
          {choice === chosen && <Icon name="check" />}
        </button>
      ))}
    </Menu>
  );
}
