import type { PageRoute } from 'api/contract/pages';
import { deskAddress } from 'host/ui/desk-address.ts';
import { Icon } from 'host/ui/icon.tsx';
import { useStream } from 'host/ui/use-stream.ts';
import { type ReactNode, useEffect } from 'react';
import { Link } from 'react-router-dom';
import { inLanguage } from '../i18n/create-i18n.ts';
import { BASE, HOME } from '../routes.ts';
import type { FrameTranslate } from './frame-texts.ts';
import { useFrameTranslate, useShell } from './shell.ts';

/** A page of the host, with the controls in its header. */
export function HostPage({ controls, children }: { controls: ReactNode; children?: ReactNode }) {
  return (
    <main className="page" id="main" tabIndex={-1}>
      <header className="head">
        <span className="space" />
        {controls}
      </header>
      {children}
    </main>
  );
}

interface FailedProps {
  title: string;
  about: string;
  action: string;
  icon?: ReactNode;
  onAct(): void;
  /** Other links and buttons. */
  children?: ReactNode;
  foot?: ReactNode;
}

/** Like `Problem` of host/ui, which would make the first script larger. */
function Failed({ title, about, action, icon, onAct, children, foot }: FailedProps) {
  return (
    <div className="failed" role="alert">
      <h1>{title}</h1>
      <p>{about}</p>
      <div className="row">
        <button className="button primary" type="button" onClick={onAct}>
          {icon}
          {action}
        </button>
        {children}
      </div>
      {foot}
    </div>
  );
}

const RETRY = <Icon name="retry" isSmall />;

interface UnavailableProps {
  route: PageRoute;
  controls: ReactNode;
  retry(): void;
  /** A retry has failed, too: some browsers request a file again only in a new page. */
  hasRetried: boolean;
}

/** Shown if no release of the remote could load the screen: names the screen, what still works, and the release. */
export function RemoteUnavailable({ route, controls, retry, hasRetried }: UnavailableProps) {
  const { loader, routes, i18n } = useShell();
  const t = useFrameTranslate();
  const language = useStream(i18n.language$);
  const isHome = route.path === HOME;
  // A public route, which works without a session.
  const other = isHome
    ? routes.menu.find(({ path, menu }) => path !== HOME && (menu.audience ?? 'public') === 'public')
    : routes.at(HOME);
  return (
    <HostPage controls={controls}>
      <Failed
        title={t('unavailable', { screen: inLanguage(route.title, language) })}
        about={t(isHome ? 'unavailableIndex' : 'unavailableOthers')}
        action={t('retry')}
        icon={RETRY}
        onAct={retry}
        foot={<code>{loader.releaseOf(route.screen)}</code>}
      >
        {hasRetried && (
          <button className="button" type="button" onClick={() => location.reload()}>
            {t('reload')}
          </button>
        )}
        {other && (
          <Link className="button" to={other.path}>
            {t(isHome ? 'goTo' : 'backTo', { place: inLanguage(other.title, language) })}
          </Link>
        )}
      </Failed>
    </HostPage>
  );
}

/** Shown if the guard could not reach the server. The session is unknown and therefore kept. */
export function SessionUnknown({ controls, retry }: Pick<UnavailableProps, 'controls' | 'retry'>) {
  const t = useFrameTranslate();
  useEffect(() => {
    window.addEventListener('online', retry);
    return () => window.removeEventListener('online', retry);
  }, [retry]);
  return (
    <HostPage controls={controls}>
      <Failed
        title={t('sessionUnknown')}
        about={t('sessionUnknownHint')}
        action={t('retry')}
        icon={RETRY}
        onAct={retry}
      />
    </HostPage>
  );
}

/** Replaces the whole frame after it has thrown. Uses no services except its texts, because they may be the cause. */
export function FrameFailed({ t }: { t: FrameTranslate }) {
  return (
    <main id="main" tabIndex={-1}>
      <Failed
        title={t('failed.title')}
        about={t('failed.about')}
        action={t('failed.reload')}
        onAct={() => location.reload()}
      >
        <a className="button" href={deskAddress(`${BASE}/`)}>
          {t('failed.home')}
        </a>
      </Failed>
    </main>
  );
}
