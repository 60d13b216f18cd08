import { Icon } from 'host/ui/icon.tsx';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { Place } from '../routes.ts';
import { useDesk } from './desk.ts';
import { Sheet } from './sheet.tsx';
import { useSay } from './use-say.ts';

interface Props {
  place: Place;
  controls: ReactNode;
  retry(): void;
}

/** A screen that no release of its remote could give: what is shut, what still works, and which release it was. */
export function Shut({ place, controls, retry }: Props) {
  const { loader } = useDesk();
  const say = useSay();
  const isIndex = place.name === 'index';
  return (
    <Sheet controls={controls}>
      <div className="failed" role="alert">
        <h1>{say('shut', { screen: say(place.name) })}</h1>
        <p>{say(isIndex ? 'shutIndex' : 'shutOthers')}</p>
        <div className="row">
          <RetryButton retry={retry} />
          {isIndex ? (
            <Link className="button" to="/history">
              {say('goTo', { place: say('history') })}
            </Link>
          ) : (
            <Link className="button" to="/index">
              {say('backTo', { place: say('index') })}
            </Link>
          )}
        </div>
        <code>{loader.releaseOf(place.screen)}</code>
      </div>
    </Sheet>
  );
}

/** The guard got no answer at all, so nothing is known and nothing is taken away. */
export function Unchecked({ controls, retry }: Omit<Props, 'place'>) {
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
