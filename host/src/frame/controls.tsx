import { LANGUAGES, languages } from 'api/contract/language';
import { Icon } from 'host/ui/icon.tsx';
import { createLatePart, Late } from 'host/ui/late-part.tsx';
import { useStream } from 'host/ui/use-stream.ts';
import { useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { useFrameTranslate, useShell } from './shell.ts';

// A separate chunk, because a guest's first page, which has to be fast, needs no menu. If it fails to load, a link replaces the menu of the
// account, and the button of the theme switches it.
const menus = createLatePart(() => import(/* webpackChunkName: "menus" */ './menus.tsx'));

/** Buttons for language, theme and, when the rail is shown, the account. Screens render them at the end of their header. */
export function Controls({ hasAccount }: { hasAccount: boolean }) {
  return (
    <div className="cluster" data-controls="">
      <LanguageButton />
      <ThemeButton />
      {hasAccount && <Account />}
    </div>
  );
}

/** Switches to the next registered language; labelled in that one. */
function LanguageButton() {
  const { i18n, toasts, t } = useShell();
  const language = useStream(i18n.language$);
  const next = languages[(languages.indexOf(language) + 1) % languages.length]!;
  const { locale, mark, label } = LANGUAGES[next];
  const change = () =>
    i18n.setLanguage(next).catch(() => {
      toasts.show({ kind: 'error', text: t(navigator.onLine ? 'incomplete' : 'unreachable') });
    });
  return (
    <button
      className="icon-button"
      type="button"
      lang={locale}
      aria-label={label}
      onClick={() => void change()}
    >
      {mark}
    </button>
  );
}

/** Opens the menu of themes. If the menu cannot be loaded, the button switches between light and dark. */
function ThemeButton() {
  const { theme } = useShell();
  const t = useFrameTranslate();
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  const fail = () => {
    close();
    theme.toggle();
  };
  return (
    <>
      <button
        ref={button}
        className="icon-button"
        type="button"
        aria-label={t('theme')}
        title={t('theme')}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        <Icon name="theme" />
      </button>
      {isOpen && (
        <Late part={menus} onFailed={fail}>
          {({ ThemeMenu }) => button.current && <ThemeMenu anchor={button.current} onClose={close} />}
        </Late>
      )}
    </>
  );
}

function Account() {
  const { session } = useShell();
  const t = useFrameTranslate();
  if (useStream(session.token$))
    return (
      <Late
        part={menus}
        loading={
          <span className="icon-button" aria-hidden="true">
            <span className="skeleton-line" style={{ width: 28, height: 28, borderRadius: '50%' }} />
          </span>
        }
        failed={
          <Link className="icon-button" to="/account" aria-label={t('account')}>
            <Icon name="user" />
          </Link>
        }
      >
        {({ AccountMenu }) => <AccountMenu />}
      </Late>
    );
  return (
    <Link className="button small" to="/login">
      {t('login')}
    </Link>
  );
}
