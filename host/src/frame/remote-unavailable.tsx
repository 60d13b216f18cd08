import type { PageRoute } from 'api/contract/pages';
import { Icon } from 'host/ui/icon.tsx';
import { useStream } from 'host/ui/use-stream.ts';
import { type ReactNode, useEffect } from 'react';
import { Link } from 'react-router-dom';
import { inLanguage } from '../i18n/create-i18n.ts';
import { HOME } from '../routes.ts';
import { HostPage } from './host-page.tsx';
import { useFrameTranslate, useShell } from './shell.ts';

interface Props {
  route: PageRoute;
  controls: ReactNode;
  retry(): void;
  /** A retry has failed, too: some browsers request a file again only in a new page. */
  hasRetried: boolean;
}

/** Shown if no release of the remote could load the screen: names the screen, what still works, and the release. */
export function RemoteUnavailable({ route, controls, retry, hasRetried }: Props) {
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
      <div className="failed" role="alert">
        <h1>{t('unavailable', { screen: inLanguage(route.title, language) })}</h1>
        <p>{t(isHome ? 'unavailableIndex' : 'unavailableOthers')}</p>
        <div className="row">
          <RetryButton retry={retry} />
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
        </div>
        <code>{loader.releaseOf(route.screen)}</code>
      </div>
    </HostPage>
  );
}

/** Shown if the guard could not reach the server. The session is unknown and therefore kept. */
export function SessionUnknown({ controls, retry }: Pick<Props, 'controls' | 'retry'>) {
  const t = useFrameTranslate();
  useEffect(() => {
    window.addEventListener('online', retry);
    return () => window.removeEventListener('online', retry);
  }, [retry]);
  return (
    <HostPage controls={controls}>
      <div className="failed" role="alert">
        <h1>{t('sessionUnknown')}</h1>
        <p>{t('sessionUnknownHint')}</p>
        <div className="row">
          <RetryButton retry={retry} />
        </div>
      </div>
    </HostPage>
  );
}

function RetryButton({ retry }: { retry(): void }) {
  const t = useFrameTranslate();
  return (
    <button className="button primary" type="button" onClick={retry}>
      <Icon name="retry" isSmall />
      {t('retry')}
    </button>
  );
}
