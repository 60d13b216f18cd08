import { Icon } from 'host/ui/icon.tsx';
import { useStream } from 'host/ui/use-stream.ts';
import { memo, useEffect, useMemo } from 'react';
import { Link, useLocation } from 'react-router-dom';
import brand from '../avatars/bot.svg';
import { inLanguage } from '../i18n/create-i18n.ts';
import { HOME } from '../routes.ts';
import { readPageCookie, writePageCookie } from '../storage/page-cookie.ts';
import { useFrameTranslate, useShell } from './shell.ts';

/** Cookie with the number of a member's entries, for which the next page reserves space. */
const MENU_COOKIE = 'desk-menu';

/** The main navigation, shown as tabs on phones. Hovering a link prefetches its screen. */
export const Rail = memo(function Rail() {
  const { prefetch, routes, session, i18n, badges, operator, desk } = useShell();
  const t = useFrameTranslate();
  const language = useStream(i18n.language$);
  const isMember = useStream(session.token$) !== '';
  const isOperator = useStream(operator.isKnown$);
  const { pathname } = useLocation();
  const counts = useStream(badges.counts$);
  const sees = { public: true, session: isMember, operator: isMember && isOperator };
  const shown = routes.menu.filter(
    ({ path, menu: { audience = 'public', badge } }) =>
      sees[audience] && (!badge?.isCondition || counts[path] !== undefined),
  );
  // Space for entries that are only known after a response. Read before the cookie is written.
  const reserved = useMemo(
    () => (isMember ? Number(readPageCookie(document, MENU_COOKIE) ?? 0) : 0),
    [isMember],
  );
  useEffect(
    () => writePageCookie(document, MENU_COOKIE, String(shown.length), isMember ? undefined : 0),
    [shown.length, isMember],
  );
  return (
    <nav className="rail" aria-label={t('mainNavigation')}>
      <Link className="brand" to={HOME} aria-label={t('productHome', { product: desk.name || t('product') })}>
        <img src={desk.logoUrl || brand} alt="" width="32" height="32" />
      </Link>
      <ul>
        {shown.map((route) => {
          const fetchAhead = () => prefetch(route.screen);
          return (
            <li key={route.path}>
              <Link
                to={route.path}
                aria-current={pathname === route.path ? 'page' : undefined}
                onPointerEnter={fetchAhead}
                onFocus={fetchAhead}
              >
                <Icon name={route.menu.icon} />
                {inLanguage(route.title, language)}
                {route.menu.badge && (
                  <Badge
                    count={counts[route.path] ?? 0}
                    label={inLanguage(route.menu.badge.label, language)}
                  />
                )}
              </Link>
            </li>
          );
        })}
        {routes.menu.slice(shown.length, reserved).map(({ path }) => (
          <li key={`reserved ${path}`} aria-hidden="true" />
        ))}
      </ul>
    </nav>
  );
});

/** `label` names the counted items for screen readers: ', {count} unanswered'. */
function Badge({ count, label }: { count: number; label: string }) {
  if (count === 0) return null;
  const shown = count > 99 ? '99+' : String(count);
  return (
    <span className="badge">
      <span aria-hidden="true">{shown}</span>
      <span className="sr">{label.replace('{count}', shown)}</span>
    </span>
  );
}
