import { type ReactNode, useEffect } from 'react';
import { Link } from 'react-router-dom';
import { BASE, PLACES, type Place } from '../routes.ts';
import { Sheet } from './sheet.tsx';
import { useSay } from './use-say.ts';

interface Props {
  path: string;
  controls: ReactNode;
  onSettled(): void;
}

export default function NotFound({ path, controls, onSettled }: Props) {
  const say = useSay();
  useEffect(onSettled, [onSettled]);
  const meant = nearestPlace(path);
  return (
    <Sheet controls={controls}>
      <div className="failed">
        <p className="lost quoted num">404</p>
        <h1>{say('notFound')}</h1>
        <p>
          <code>
            {BASE}
            {path}
          </code>{' '}
          {say('notFoundWhy')}
        </p>
        <div className="row">
          {meant && (
            <Link className="button" to={meant.path}>
              {say('goTo', { place: say(meant.name) })}
            </Link>
          )}
          <Link className="button" to="/index">
            {say('backTo', { place: say('index') })}
          </Link>
        </div>
      </div>
    </Sheet>
  );
}

/** The place that a mistyped path most likely meant: at most two letters away, as in /reprot. */
export function nearestPlace(path: string): Place | undefined {
  const word = path.replace(/^\/+|\/.*$/g, '').toLowerCase();
  const near = PLACES.filter((place) => place.name !== 'index')
    .map((place) => ({ place, distance: distance(word, place.name) }))
    .sort((one, other) => one.distance - other.distance)[0];
  return near && near.distance <= 2 ? near.place : undefined;
}

/** Levenshtein's distance, row by row. */
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
