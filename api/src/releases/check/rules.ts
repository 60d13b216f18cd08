import { listOf, type Text, textsOf } from '../../i18n/texts-of.ts';
import { type Release, type Route, routesOf } from '../data/release.ts';
import { isElsewhere } from '../data/release-keys.ts';
import type { ParsedModule } from './parse-module.ts';
import { type CheckedFile, type FileFault, type Finding, findingOn, type Rule } from './rule.ts';

const textOf = textsOf('findings');

/** Number of files listed by name; the others are only counted. */
const named = 3;

/** One finding per release that has files with a fault of `rule`. */
export function fileFindings(rule: FileFault['rule'], looked: readonly CheckedFile[]): Finding[] {
  const faulty = Map.groupBy(
    looked.filter(({ fault }) => fault?.rule === rule),
    ({ release }) => release,
  );
  const [key, advice] =
    rule === 'integrity'
      ? (['files_altered', 'restore_files'] as const)
      : (['files_unreachable', 'serve_files'] as const);
  return [...faulty].map(([release, all]) => {
    const files = all.slice(0, named).map(
      ({ file, fault }): Text =>
        (language) =>
          `${file.path} ${fault!.why(language)}`,
    );
    const rest = all.length - files.length;
    if (rest > 0) files.push(textOf('more_faulty', { rest }));
    const about = { release: release._id, total: release.files.length, count: all.length };
    return findingOn(release, 'faulty_files', isElsewhere(release) ? advice : 'publish_same', {
      summary: textOf(key, about),
      files: listOf(files, 'semicolon'),
      address: release.base,
    });
  });
}

/**
 * `integrity`: every file is byte for byte as published, since browsers refuse other content. `reachable`: a visitor's browser can fetch
 * every file.
 */
export const fileRule =
  (rule: FileFault['rule']): Rule =>
  async (_parts, context) => {
    const looked = await context.files();
    return { findings: fileFindings(rule, looked), looked: looked.length };
  };

/** Placeholder in the host's index.html where the API inserts the head of a page. */
const placeOfHead = '<!--head-->';

/** Functions that the host calls on a remote's entry. */
const containerCalls = ['init', 'get'];

/**
 * Checks that every file a release starts from exists and is an ES module, and that a remote's entry exports the functions of a
 * federation container.
 */
export const exposes: Rule = async ({ host, remotes }, { files }) => {
  const all = [host, ...remotes];
  const found = [
    ...(host.template.includes(placeOfHead)
      ? []
      : [findingOn(host, 'no_head', 'build_again', { host: host._id, head: placeOfHead })]),
    ...all.map(missingFiles),
    ...(await files()).flatMap(unfitModule),
  ];
  return { findings: found.filter((finding) => finding !== undefined), looked: all.length };
};

function missingFiles(release: Release): Finding | undefined {
  const known = new Set(release.files.map(({ path }) => path));
  const assets = [release.entryFiles, ...release.exposes].flatMap(({ js, css, texts = {} }) => [
    ...js,
    ...css,
    ...Object.values(texts).flat(),
  ]);
  const missing = [...new Set([release.entry, ...assets].filter((path) => !known.has(path)))];
  if (missing.length === 0) return undefined;
  const list = missing.slice(0, 3).map((path) => `"${path}"`);
  return findingOn(release, 'names_missing', 'build_again', { files: listOf(list) });
}

function unfitModule({ release, file, module, refused = [] }: CheckedFile): Finding[] {
  const { name, entry, standard } = release;
  const fault = module && faultOf(module, { isContainer: name !== 'host' && file.path === entry, standard });
  return [...(fault ? [fault] : []), ...refused].map((why) =>
    findingOn(release, 'of_file', 'build_again', { file: file.path, fault: why }),
  );
}

function faultOf(
  { error, exports }: ParsedModule,
  { isContainer, standard }: { isContainer: boolean; standard: Release['standard'] },
): Text | undefined {
  if (error !== null)
    return textOf(standard?.type === 'script' ? 'invalid_script' : 'invalid_module', { error });
  if (!isContainer || !exports || containerCalls.every((name) => exports.includes(name))) return undefined;
  return textOf('federation_container', { exports: exports.join(', ') || textOf('nothing') });
}

/** Remotes that are new, by themselves or with their host, and that declare no route. */
export function unshown(host: Release, remotes: readonly Release[], coming: ReadonlySet<Release>): Finding[] {
  return remotes
    .filter(({ routes }) => routes.length === 0)
    .filter((remote) => coming.has(remote) || coming.has(host))
    .map((remote) => findingOn(remote, 'no_route', 'declare_route'));
}

/** Container name that the federation runtime reserves for the host. */
const hostContainer = 'host';

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/** Containers and chunk registries are found by name: with a duplicate, one remote runs another's code. */
export const names: Rule = ({ host, remotes }) => {
  const all = [host, ...remotes];
  const identifier = ({ name }: Release) => name.replace(/\W/g, '_');
  const clash = (one: Release, { _id: other }: Release) => {
    const about = { other, container: one.container, identifier: identifier(one) };
    return findingOn(one, 'container_taken', 'own_container', about);
  };
  return {
    findings: [
      ...remotes
        .filter(({ container, standard }) => standard?.type !== 'module' && !IDENTIFIER.test(container))
        .map((one) => {
          const about = { container: one.container, identifier: identifier(one) };
          return findingOn(one, 'container_invalid', 'name_container', about);
        }),
      ...remotes.filter(({ container }) => container === hostContainer).map((one) => clash(one, host)),
      ...pairsBy(remotes, ({ container }) => container).map(([later, first]) => clash(later, first)),
      ...pairsBy(all, ({ name }) => name).map(([later, { _id: other }]) =>
        findingOn(later, 'remote_twice', 'choose_one', { other }),
      ),
      ...pairsBy(all, registryOf).map(([later, { _id: other }]) =>
        findingOn(later, 'registry_taken', 'own_registry', { other, registry: registryOf(later) }),
      ),
    ],
    looked: all.length,
  };
};

/** Name of the chunk registry: that of a standard build, otherwise `output.uniqueName`, as found in style sheets; '' if unknown. */
function registryOf({ files, standard }: Release): string {
  if (standard) return standard.chunks ?? '';
  const mark = files.find((file) => file.mark !== '')?.mark ?? '';
  return mark.slice(0, Math.max(0, mark.lastIndexOf(':chunk-')));
}

/** Pairs each element with an earlier one of the same name. '' is ignored. */
function pairsBy(releases: readonly Release[], nameOf: (release: Release) => string) {
  const firsts = new Map<string, Release>();
  return releases.flatMap((release): [Release, Release][] => {
    const name = nameOf(release);
    const first = name === '' ? undefined : firsts.get(name);
    if (first) return [[release, first]];
    firsts.set(name, release);
    return [];
  });
}

/** Paths to which the host itself navigates: after signing out, and from `/`. */
const LINKS_OF_HOST = ['/index', '/login'];

/**
 * Checks that no path is declared by two releases or belongs to the host, that no route has a weaker guard
 * than the live one of its path, and that every path a release links to is declared. Labels and the form of
 * paths are validated when a release is published, see release-description.ts.
 */
export const routes: Rule = async ({ host, remotes }, context) => {
  const declared = routesOf(host, remotes);
  const releases = [host, ...remotes];
  const findings = [
    ...conflicts(releases),
    ...weakerGuards(declared, await context.guardedBy(), releases),
    ...deadLinks(declared, releases),
  ];
  return { findings, looked: declared.length };
};

function conflicts(releases: readonly Release[]): Finding[] {
  const owners = new Map<string, Release>();
  const found: Finding[] = [];
  for (const release of releases)
    for (const { path } of release.routes) {
      const owner = owners.get(path);
      if (owner) found.push(findingOn(release, 'route_taken', 'other_path', { owner: owner._id, path }));
      else owners.set(path, release);
    }
  return found;
}

function weakerGuards(declared: readonly Route[], live: readonly Route[], releases: readonly Release[]) {
  const before = new Map(live.map((route) => [route.path, route.guard]));
  return declared
    .filter(({ path, guard }) => before.get(path) === 'session' && guard === 'public')
    .map(({ path, remote }) => {
      const release = releases.find(({ name }) => name === remote) ?? { name: remote, _id: '' };
      return findingOn(release, 'weaker_guard', 'allow_weaker_guard', { path });
    });
}

function deadLinks(declared: readonly Route[], releases: readonly Release[]): Finding[] {
  const paths = new Set(declared.map(({ path }) => path));
  return releases.flatMap((release) => {
    const links = release.name === 'host' ? LINKS_OF_HOST : (release.links ?? []);
    return links
      .filter((path) => !paths.has(path))
      .map((path) => findingOn(release, 'link_nowhere', 'declare_path', { path }));
  });
}
