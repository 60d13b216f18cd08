import type { PageRoute } from 'api/contract/pages';
import { Icon } from 'host/ui/icon.tsx';
import { useStream } from 'host/ui/use-stream.ts';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { HOME } from '../routes.ts';
import { useDesk } from './desk.ts';
import { Sheet } from './sheet.tsx';
import { useSay } from './use-say.ts';

interface Props {
  route: PageRoute;
  controls: ReactNode;
  retry(): void;
}

/** Shown if no release of the remote could load the screen: names the screen, what still works, and the release. */
export function RemoteUnavailable({ route, controls, retry }: Props) {
  const { loader, routes, i18n } = useDesk();
  const say = useSay();
  const language = useStream(i18n.language$);
  const isHome = route.path === HOME;
  // A public route, which works without a session.
  const other = isHome
    ? routes.menu.find(({ path, menu }) => path !== HOME && menu.audience !== 'session')
    : routes.at(HOME);
  return (
    <Sheet controls={controls}>
      <div className="failed" role="alert">
        <h1>{say('shut', { screen: route.title[language] })}</h1>
        <p>{say(isHome ? 'shutIndex' : 'shutOthers')}</p>
        <div className="row">
          <RetryButton retry={retry} />
          {other && (
            <Link className="button" to={other.path}>
              {say(isHome ? 'goTo' : 'backTo', { place: other.title[language] })}
            </Link>
          )}
        </div>
        <code>{loader.releaseOf(route.screen)}</code>
      </div>
    </Sheet>
  );
}

/** Shown if the guard could not reach the server. The session is unknown and therefore kept. */
export function SessionUnknown({ controls, retry }: Omit<Props, 'route'>) {
  const say = useSay();
  return (
    <Sheet controls={controls}>
      <div className="failed" role="alert">
        <h1>{say('unknown')}</h1>
        <p>{say('unknownWhy')}</p>
        <div className="row">
          <RetryButton retry={retry} />
        </div>
      </div>
    </Sheet>
  );
}

function RetryButton({ retry }: { retry(): void }) {
  const say = useSay();
  return (
    <button className="button primary" type="button" onClick={retry}>
      <Icon name="retry" isSmall />
      {say('retry')}
    </button>
  );
}
