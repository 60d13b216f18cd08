import { Icon } from 'host/ui/icon.tsx';
import { useStream } from 'host/ui/use-stream.ts';
import { memo } from 'react';
import { Link, useLocation } from 'react-router-dom';
import brand from '../avatars/bot.svg';
import { PLACES, type PlaceName } from '../routes.ts';
import { useDesk } from './desk.ts';
import { useSay } from './use-say.ts';

const ON_THE_RAIL: readonly { name: PlaceName; icon: string; isForMembers?: boolean }[] = [
  { name: 'index', icon: 'chat' },
  { name: 'history', icon: 'records' },
  { name: 'report', icon: 'chart' },
  { name: 'knowledge', icon: 'book', isForMembers: true },
  { name: 'composition', icon: 'layers', isForMembers: true },
];

/** The places of the desk; on a phone it lies down as tabs. Pointing at a place already fetches its screen. */
export const Rail = memo(function Rail() {
  const { prefetch, session } = useDesk();
  const say = useSay();
  const isMember = useStream(session.token$) !== '';
  const { pathname } = useLocation();
  return (
    <nav className="rail" aria-label={say('mainNavigation')}>
      <Link className="brand" to="/index" aria-label={say('productHome')}>
        <img src={brand} alt="" width="32" height="32" />
      </Link>
      <ul>
        {ON_THE_RAIL.map(({ name, icon, isForMembers }) => {
          const place = PLACES.find((candidate) => candidate.name === name);
          if (!place || (isForMembers && !isMember)) return null;
          const fetchAhead = () => prefetch(place.screen);
          return (
            <li key={name}>
              <Link
                to={place.path}
                aria-current={pathname === place.path ? 'page' : undefined}
                onPointerEnter={fetchAhead}
                onFocus={fetchAhead}
              >
                <Icon name={icon} />
                {say(name)}
                {name === 'knowledge' && <UnansweredBadge />}
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
});

/** Questions that wait for an editor. */
function UnansweredBadge() {
  const { unanswered } = useDesk();
  const say = useSay();
  const count = useStream(unanswered.count$);
  if (count === 0) return null;
  return (
    <span className="badge">
      <span aria-hidden="true">{count > 99 ? '99+' : count}</span>
      <span className="sr">{count > 99 ? say('unansweredMany') : say('unanswered', { count })}</span>
    </span>
  );
}
