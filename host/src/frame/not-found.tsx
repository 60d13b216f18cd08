import type { PageRoute } from 'api/contract/pages';
import { deskAddress } from 'host/ui/desk-address.ts';
import { useStream } from 'host/ui/use-stream.ts';
import { type ReactNode, useEffect } from 'react';
import { Link } from 'react-router-dom';
import { inLanguage } from '../i18n/create-i18n.ts';
import { BASE, HOME } from '../routes.ts';
import { HostPage } from './pages.tsx';
import { useFrameTranslate, useShell } from './shell.ts';

interface Props {
  path: string;
  controls: ReactNode;
  onSettled(): void;
}

export function NotFound({ path, controls, onSettled }: Props) {
  const t = useFrameTranslate();
  useEffect(onSettled, [onSettled]);
  const { routes, i18n } = useShell();
  const language = useStream(i18n.language$);
  const home = routes.at(HOME);
  const similar = nearestRoute(path, routes.all);
  return (
    <HostPage controls={controls}>
      <div className="failed">
        <p className="lost quoted num">404</p>
        <h1>{t('notFound')}</h1>
        <p>
          <code>{deskAddress(BASE + path)}</code> {t('notFoundHint')}
        </p>
        <div className="row">
          {similar && (
            <Link className="button" to={similar.path}>
              {t('goTo', { place: inLanguage(similar.title, language) })}
            </Link>
          )}
          {home && (
            <Link className="button" to={HOME}>
              {t('backTo', { place: inLanguage(home.title, language) })}
            </Link>
          )}
        </div>
      </div>
    </HostPage>
  );
}

/** At most two letters different, as in /reprot. Not the home page, which is offered anyway. */
function nearestRoute(path: string, routes: readonly PageRoute[]): PageRoute | undefined {
  const typed = path.replace(/^\/+|\/.*$/g, '').toLowerCase();
  const near = routes
    .filter((route) => route.path !== HOME)
    .map((route) => ({ route, distance: distance(typed, route.path.slice(1)) }))
    .sort((one, other) => one.distance - other.distance)[0];
  return near && near.distance <= 2 ? near.route : undefined;
}

/** Levenshtein distance, row by row. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [line, letter] of [...one].entries()) {
    const next = [line + 1];
    for (let index = 0; index < other.length; index++)
      next.push(
        Math.min(row[index + 1]! + 1, next[index]! + 1, row[index]! + (other[index] === letter ? 0 : 1)),
      );
    row = next;
  }
  return row[other.length]!;
}
