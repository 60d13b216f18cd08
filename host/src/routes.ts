import screens from './routes.json' with { type: 'json' };

/**
 * One place of the desk. The table of addresses and remotes' screens is routes.json, which the page's preload hints are made from
 * too; the host's own screens, which no hint is for, stand here.
 */
export interface Place {
  /** Without the base path; '/' is no place of its own, it leads to /index. */
  path: string;
  /** 'mfe-chat/./chat': the remote's name, then the module that it exposes. Of the host's own 'host/./composition'. */
  screen: ScreenId;
  name: PlaceName;
  /** Reachable only after POST /admin/auth has succeeded. */
  isGuarded: boolean;
  /** Whether the rail stands beside it. */
  hasRail: boolean;
}

export type ScreenId = `${string}/./${string}`;
export type PlaceName =
  | 'index'
  | 'login'
  | 'register'
  | 'test'
  | 'history'
  | 'report'
  | 'knowledge'
  | 'composition'
  | 'account';

/** Where the router stands. */
export const BASE = '/chatbot';

/** Reachable without the check, by the source; whatever else there is needs it. */
const OPEN: readonly PlaceName[] = ['login', 'register', 'test', 'index', 'history', 'report'];
const WITHOUT_RAIL: readonly PlaceName[] = ['login', 'register'];

/** Screens of the host's own. */
const OWN: Readonly<Record<string, ScreenId>> = { '/composition': 'host/./composition' };

export const PLACES: readonly Place[] = Object.entries({ ...screens, ...OWN })
  .filter(([path]) => path !== '/')
  .map(([path, screen]) => {
    const name = path.slice(1) as PlaceName;
    return {
      path,
      screen: screen as ScreenId,
      name,
      isGuarded: !OPEN.includes(name),
      hasRail: !WITHOUT_RAIL.includes(name),
    };
  });

/** The place at `path` (without the base; a trailing slash is forgiven), or undefined where there is none. */
export function placeAt(path: string): Place | undefined {
  const plain = withoutSlash(path);
  return PLACES.find((place) => place.path === plain);
}

/** '/' and '' alone lead elsewhere. */
export function isRoot(path: string): boolean {
  return withoutSlash(path) === '';
}

function withoutSlash(path: string): string {
  return path.replace(/\/+$/, '');
}
