import { routesOf } from '../declared-routes.ts';
import type { Release, Route } from '../release.ts';
import type { ParsedModule } from './parse-module.ts';
import type { CheckedFile, CheckedParts, Finding, LocalizedText, Rule } from './rule.ts';

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
  const screens = new Map<string, Screen>();
  for (const { path, remote, module } of routes) {
    const key = `${remote}/${module}`;
    const known = screens.get(key);
    if (known) known.paths.push(path);
    else screens.set(key, { remote, module, paths: [path] });
  }
  return [...screens.values()];
}

function missingScreen(screen: Screen, { host, remotes }: CheckedParts): Finding | undefined {
  const release = remotes.find(({ name }) => name === screen.remote);
  const places = screen.paths.map((path) => `/chatbot${path}`);
  if (!release)
    return {
      remote: screen.remote,
      release: '',
      message: [
        `组合中没有 ${screen.remote}，而 ${host._id} 的 ${places.join('、')} 需要它的 ${screen.module}`,
        `${screen.remote} is not in the composition, and ${host._id} shows its ${screen.module} at ${places.join(', ')}`,
      ],
      advice: [
        `请加上 ${screen.remote} 的一个版本，或选用不需要它的主机`,
        `Add a release of ${screen.remote}, or choose a host that does not need it`,
      ],
    };
  if (release.exposes.some(({ name }) => name === screen.module)) return undefined;
  const offered = release.exposes.map(({ name }) => name).join(', ');
  return {
    remote: release.name,
    release: release._id,
    message: [
      `${release._id} 没有暴露 ${screen.module}，而 ${host._id} 的 ${places.join('、')} 需要它；它暴露的是 ${offered || '（无）'}`,
      `${release._id} does not expose ${screen.module}, which ${host._id} shows at ${places.join(', ')}; it exposes ${offered || 'nothing'}`,
    ],
    advice: [
      `请让 ${release.name} 以 ${screen.module} 暴露这个界面后重新发布，或选用它的其他版本`,
      `Have ${release.name} expose that screen as ${screen.module} and publish it, or choose another release of it`,
    ],
  };
}

function missingFiles(release: Release): Finding | undefined {
  const known = new Set(release.files.map(({ path }) => path));
  const named = [release.entry, ...assetsOf(release)];
  const missing = [...new Set(named.filter((path) => !known.has(path)))];
  if (missing.length === 0) return undefined;
  const list = missing.slice(0, 3).map((path) => `"${path}"`);
  return {
    remote: release.name,
    release: release._id,
    message: [
      `${release._id} 指明的 ${list.join('、')} 不在它的文件之中`,
      `${release._id} names ${list.join(', ')}, which is not among its files`,
    ],
    advice: rebuild(release),
  };
}

function assetsOf({ entryFiles, exposes: modules }: Release): string[] {
  return [entryFiles, ...modules].flatMap(({ js, css }) => [...js, ...css]);
}

function unfitModule({ release, file, module, refused = [] }: CheckedFile): Finding[] {
  const { name, entry, standard } = release;
  const fault = module && faultOf(module, { isContainer: name !== 'host' && file.path === entry, standard });
  return [...(fault ? [fault] : []), ...refused].map(([zh, en]) => ({
    remote: name,
    release: release._id,
    message: [`${release._id} 的 ${file.path} ${zh}`, `${file.path} of ${release._id} ${en}`],
    advice: rebuild(release),
  }));
}

function faultOf(
  { error, exports }: ParsedModule,
  { isContainer, standard }: { isContainer: boolean; standard: Release['standard'] },
): LocalizedText | undefined {
  if (error !== null && standard?.type === 'script')
    return [`不是可运行的脚本：${error}`, `is not a valid script: ${error}`];
  if (error !== null) return [`不是可运行的 ES 模块：${error}`, `is not a valid ES module: ${error}`];
  const missing = isContainer && exports ? containerCalls.filter((name) => !exports.includes(name)) : [];
  if (missing.length === 0) return undefined;
  const got = exports?.join(', ');
  return [
    `应导出 init 和 get（联邦容器，library: {type: 'module'}），实际导出：${got || '（无）'}`,
    `must export init and get, like a federation container with library: {type: 'module'}; it exports ${got || 'nothing'}`,
  ];
}

/** Remotes that are new, by themselves or with their host, and whose screens no route shows. */
export function unshown(host: Release, remotes: readonly Release[], coming: ReadonlySet<Release>): Finding[] {
  const shown = new Set(routesOf(host, remotes).map(({ remote }) => remote));
  return remotes
    .filter(({ name, routes }) => routes.length === 0 && !shown.has(name))
    .filter((remote) => coming.has(remote) || coming.has(host))
    .map(({ name, _id }) => ({
      remote: name,
      release: _id,
      message: [
        `${_id} 没有声明任何路由，访问者打不开它`,
        `${_id} declares no route, so no visitor can open it`,
      ],
      advice: [
        `请在 ${name} 的 desk.json 中声明路由后重新构建并发布`,
        `Declare its routes in desk.json of ${name}, then build and publish it again`,
      ],
    }));
}

function missingTemplate(host: Release): Finding[] {
  if (host.template.includes(placeOfHead)) return [];
  return [
    {
      remote: host.name,
      release: host._id,
      message: [
        `${host._id} 的 index.html 中没有 ${placeOfHead}，页面无法写入组合`,
        `The index.html of ${host._id} has no ${placeOfHead}, so that no composition can be written into it`,
      ],
      advice: rebuild(host),
    },
  ];
}

function rebuild({ name }: Release): LocalizedText {
  return [
    `请重新构建 ${name} 并以新版本发布，或选用它的其他版本`,
    `Build ${name} again and publish it as a new version, or choose another release of it`,
  ];
}
