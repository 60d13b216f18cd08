import type { PageRoute } from 'api/contract/pages';
import { Button } from 'host/ui/button.tsx';
import { deskAddress } from 'host/ui/desk-address.ts';
import { EmptyState } from 'host/ui/problem.tsx';
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
      <EmptyState
        level={1}
        role="alert"
        title={t('unavailable', { screen: inLanguage(route.title, language) })}
        about={t(isHome ? 'unavailableIndex' : 'unavailableOthers')}
        foot={<code>{loader.releaseOf(route.screen)}</code>}
      >
        <Button look="primary" icon="retry" label={t('retry')} onClick={retry} />
        {hasRetried && <Button label={t('reload')} onClick={() => location.reload()} />}
        {other && (
          <Link className="button" to={other.path}>
            {t(isHome ? 'goTo' : 'backTo', { place: inLanguage(other.title, language) })}
          </Link>
        )}
      </EmptyState>
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
      <EmptyState level={1} role="alert" title={t('sessionUnknown')} about={t('sessionUnknownHint')}>
        <Button look="primary" icon="retry" label={t('retry')} onClick={retry} />
      </EmptyState>
    </HostPage>
  );
}

/** Replaces the whole frame after it has thrown. Uses no services except its texts, because they may be the cause. */
export function FrameFailed({ t }: { t: FrameTranslate }) {
  return (
    <main id="main" tabIndex={-1}>
      <EmptyState level={1} role="alert" title={t('failed.title')} about={t('failed.about')}>
        <Button look="primary" label={t('failed.reload')} onClick={() => location.reload()} />
        <a className="button" href={deskAddress(`${BASE}/`)}>
          {t('failed.home')}
        </a>
      </EmptyState>
    </main>
  );
}
