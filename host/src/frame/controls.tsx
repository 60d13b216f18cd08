import { Icon } from 'host/ui/icon.tsx';
import { useStream } from 'host/ui/use-stream.ts';
import { lazy, Suspense } from 'react';
import { Link } from 'react-router-dom';
import { useDesk } from './desk.ts';
import { useSay } from './use-say.ts';

// A guest's first visit, the one that has to be quick, needs no menu. Without it, its button still leads to the account.
const AccountMenu = lazy(() =>
  import(/* webpackChunkName: "account-menu" */ './account-menu.tsx').catch(() => ({ default: AccountLink })),
);

/** Language, theme and, beside the rail, the account. Screens put it at the end of their head. */
export function Controls({ hasAccount }: { hasAccount: boolean }) {
  return (
    <div className="cluster" data-controls="">
      <LanguageButton />
      <ThemeButton />
      {hasAccount && <Account />}
    </div>
  );
}

/** Speaks in the language that it offers. */
function LanguageButton() {
  const { i18n } = useDesk();
  const isChinese = useStream(i18n.language$) === 'zh';
  return (
    <button
      className="icon-button"
      type="button"
      lang={isChinese ? 'en' : 'zh-CN'}
      aria-label={isChinese ? 'EN: switch to English' : '中：切换到中文'}
      onClick={() => i18n.speak(isChinese ? 'en' : 'zh')}
    >
      {isChinese ? 'EN' : '中'}
    </button>
  );
}

function ThemeButton() {
  const { theme } = useDesk();
  const say = useSay();
  const label = say(useStream(theme.isDark$) ? 'toLight' : 'toDark');
  return (
    <button className="icon-button" type="button" aria-label={label} title={label} onClick={theme.toggle}>
      <Icon name="theme" />
    </button>
  );
}

function Account() {
  const { session } = useDesk();
  const say = useSay();
  if (useStream(session.token$))
    return (
      <Suspense fallback={<span className="icon-button" />}>
        <AccountMenu />
      </Suspense>
    );
  return (
    <Link className="button small" to="/login">
      {say('login')}
    </Link>
  );
}

function AccountLink() {
  const say = useSay();
  return (
    <Link className="icon-button" to="/account" aria-label={say('account')}>
      <Icon name="user" />
    </Link>
  );
}
