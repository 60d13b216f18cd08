import { Icon } from 'host/ui/icon.tsx';
import { createLatePart, Late } from 'host/ui/late-part.tsx';
import { useStream } from 'host/ui/use-stream.ts';
import { Link } from 'react-router-dom';
import { useShell } from './shell.ts';
import { useFrameTranslate } from './use-translate.ts';

// A separate chunk, because a guest's first page, which has to be fast, needs no menu. If it fails to load, a link to the account replaces
// it.
const accountMenu = createLatePart(() => import(/* webpackChunkName: "account-menu" */ './account-menu.tsx'));

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

/** Labelled in the language that it switches to. */
function LanguageButton() {
  const { i18n } = useShell();
  const isChinese = useStream(i18n.language$) === 'zh';
  return (
    <button
      className="icon-button"
      type="button"
      lang={isChinese ? 'en' : 'zh-CN'}
      aria-label={isChinese ? 'EN: switch to English' : '中：切换到中文'}
      onClick={() => i18n.setLanguage(isChinese ? 'en' : 'zh')}
    >
      {isChinese ? 'EN' : '中'}
    </button>
  );
}

function ThemeButton() {
  const { theme } = useShell();
  const t = useFrameTranslate();
  const label = t(useStream(theme.isDark$) ? 'toLight' : 'toDark');
  return (
    <button className="icon-button" type="button" aria-label={label} title={label} onClick={theme.toggle}>
      <Icon name="theme" />
    </button>
  );
}

function Account() {
  const { session } = useShell();
  const t = useFrameTranslate();
  if (useStream(session.token$))
    return (
      <Late part={accountMenu} loading={<span className="icon-button" />} failed={<AccountLink />}>
        {({ AccountMenu }) => <AccountMenu />}
      </Late>
    );
  return (
    <Link className="button small" to="/login">
      {t('login')}
    </Link>
  );
}

function AccountLink() {
  const t = useFrameTranslate();
  return (
    <Link className="icon-button" to="/account" aria-label={t('account')}>
      <Icon name="user" />
    </Link>
  );
}
