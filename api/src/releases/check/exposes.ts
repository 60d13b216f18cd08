import { listOf, type Text, textsOf } from '../../i18n/texts-of.ts';
import { type Release, type Route, routesOf } from '../data/release.ts';
import type { ParsedModule } from './parse-module.ts';
import { type CheckedFile, type CheckedParts, type Finding, findingOn, type Rule } from './rule.ts';

const textOf = textsOf('findings');

/** Placeholder in the host's index.html where the API inserts the head of a page. */
const placeOfHead = '<!--head-->';

/** Functions that the host calls on a remote's entry. */
const containerCalls = ['init', 'get'];

/**
 * Checks that every screen in the host's routes is exposed by the composition's remote, that every file a
 * release starts from exists and is an ES module, and that a remote's entry exports the functions of a
 * federation container.
 */
export const exposes: Rule = async ({ host, remotes }, { files }) => {
  const screens = distinctScreens(host.routes.filter(({ remote }) => remote !== host.name));
  const found = [
    ...missingTemplate(host),
    ...screens.map((screen) => missingScreen(screen, { host, remotes })),
    ...[host, ...remotes].map(missingFiles),
    ...(await files()).flatMap(unfitModule),
  ];
  return { findings: found.filter((finding) => finding !== undefined), looked: screens.length };
};

/** Routes grouped by screen, since several may show one. */
interface Screen extends Pick<Route, 'remote' | 'module'> {
  paths: string[];
}

function distinctScreens(routes: readonly Route[]): Screen[] {
  const screens = Map.groupBy(routes, ({ remote, module }) => `${remote}/${module}`);
  return [...screens.values()].map((same) => ({ ...same[0]!, paths: same.map(({ path }) => path) }));
}

function missingScreen(screen: Screen, { host, remotes }: CheckedParts): Finding | undefined {
  const release = remotes.find(({ name }) => name === screen.remote);
  const places = screen.paths.map((path) => `/chatbot${path}`);
  if (!release)
    return {
      remote: screen.remote,
      release: '',
      message: textOf('remote_missing', {
        remote: screen.remote,
        host: host._id,
        places: listOf(places),
        module: screen.module,
      }),
      advice: textOf('add_remote', { remote: screen.remote }),
    };
  if (release.exposes.some(({ name }) => name === screen.module)) return undefined;
  const offered = release.exposes.map(({ name }) => name).join(', ');
  return findingOn(
    release,
    textOf('not_exposed', {
      release: release._id,
      module: screen.module,
      host: host._id,
      places: listOf(places),
      offered: offered || textOf('nothing'),
    }),
    textOf('expose_screen', { name: release.name, module: screen.module }),
  );
}

function missingFiles(release: Release): Finding | undefined {
  const known = new Set(release.files.map(({ path }) => path));
  const named = [release.entry, ...assetsOf(release)];
  const missing = [...new Set(named.filter((path) => !known.has(path)))];
  if (missing.length === 0) return undefined;
  const list = missing.slice(0, 3).map((path) => `"${path}"`);
  const message = textOf('names_missing', { release: release._id, files: listOf(list) });
  return findingOn(release, message, rebuild(release));
}

function assetsOf({ entryFiles, exposes: modules }: Release): string[] {
  return [entryFiles, ...modules].flatMap(({ js, css, texts = {} }) => [
    ...js,
    ...css,
    ...Object.values(texts).flat(),
  ]);
}

function unfitModule({ release, file, module, refused = [] }: CheckedFile): Finding[] {
  const { name, entry, standard } = release;
  const fault = module && faultOf(module, { isContainer: name !== 'host' && file.path === entry, standard });
  return [...(fault ? [fault] : []), ...refused].map((why) =>
    findingOn(
      release,
      textOf('of_file', { release: release._id, file: file.path, fault: why }),
      rebuild(release),
    ),
  );
}

function faultOf(
  { error, exports }: ParsedModule,
  { isContainer, standard }: { isContainer: boolean; standard: Release['standard'] },
): Text | undefined {
  if (error !== null && standard?.type === 'script') return textOf('invalid_script', { error });
  if (error !== null) return textOf('invalid_module', { error });
  const missing = isContainer && exports ? containerCalls.filter((name) => !exports.includes(name)) : [];
  if (missing.length === 0) return undefined;
  const got = exports?.join(', ');
  return textOf('federation_container', { exports: got || textOf('nothing') });
}

/** Remotes that are new, by themselves or with their host, and whose screens no route shows. */
export function unshown(host: Release, remotes: readonly Release[], coming: ReadonlySet<Release>): Finding[] {
  const shown = new Set(routesOf(host, remotes).map(({ remote }) => remote));
  return remotes
    .filter(({ name, routes }) => routes.length === 0 && !shown.has(name))
    .filter((remote) => coming.has(remote) || coming.has(host))
    .map((remote) =>
      findingOn(
        remote,
        textOf('no_route', { release: remote._id }),
        textOf('declare_route', { name: remote.name }),
      ),
    );
}

function missingTemplate(host: Release): Finding[] {
  if (host.template.includes(placeOfHead)) return [];
  return [findingOn(host, textOf('no_head', { host: host._id, head: placeOfHead }), rebuild(host))];
}

function rebuild({ name }: Release): Text {
  return textOf('build_again', { name });
}
