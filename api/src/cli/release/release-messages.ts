import type { Language } from '../../contract/language.ts';

/** Output of the release command in both languages, with `{name}` placeholders. */
const words = {
  about: [
    '构建当前模块并发布为不可变的版本。线上内容不变；用 npm run compose 切换',
    'Builds this workspace and publishes it as an immutable release. What is live does not change; use npm run compose to switch',
  ],
  optionServer: [
    '咨询台的地址（默认 DESK_URL，否则 http://127.0.0.1:PORT）',
    'address of the desk (DESK_URL, else http://127.0.0.1:PORT)',
  ],
  optionToken: [
    '发布令牌或运维令牌（默认 RELEASE_TOKEN、OPS_TOKEN，本机的咨询台则为 DATA_DIR/ops-token）',
    'release token or ops token (RELEASE_TOKEN, OPS_TOKEN, else DATA_DIR/ops-token for a desk on this machine)',
  ],
  optionVersion: [
    '版本号，例如 1.4.0（默认取 package.json）',
    'version such as 1.4.0 (default: from package.json)',
  ],
  optionFolder: [
    '发布已构建好的文件夹，不再构建：其中有 release.json，或标准 Module Federation 构建的 mf-manifest.json',
    'publish this built folder without building: with release.json, or with the mf-manifest.json of a standard Module Federation build',
  ],
  optionName: [
    '标准构建的发布名，例如 mfe-tickets（默认取 desk.json，否则由容器名得出）',
    'standard builds: name of the release, such as mfe-tickets (default: from desk.json, else from the container name)',
  ],
  optionDesk: [
    '标准构建的路由文件（默认是该文件夹、其上级或当前文件夹中的 desk.json）',
    'standard builds: file with the routes (default: desk.json in that folder, the one above it, or the working folder)',
  ],
  optionRoute: [
    '标准构建的一条路由，代替 desk.json：路径,模块,guard,中文标题,英文标题；可重复',
    'standard builds: a route instead of desk.json: path,module,guard,Chinese title,English title; repeatable',
  ],
  optionAddress: [
    '文件由团队自行托管于此（绝对地址，以 / 结尾，属于 RELEASE_ORIGINS）',
    'for files hosted by the team: absolute URL with a trailing slash, at one of RELEASE_ORIGINS',
  ],
  optionDryRun: ['只构建并检查，不发送任何内容', 'build and check, send nothing'],
  optionJson: ['以 JSON 输出结果', 'print the result as JSON'],
  optionLang: ['输出语言：zh 或 en', 'language of the output: zh or en'],
  optionHelp: ['显示帮助', 'show this help'],
  helpAfter: [
    `
退出码：0 已发布（或内容相同、无需发布） 1 被拒绝或构建失败 2 用法有误 3 无法连接或令牌不允许
例：
  RELEASE_TOKEN=… npm run release -w mfe-chat -- --server https://desk.example
  npm run release -w mfe-chat -- --server https://desk.example --version 1.4.1
  RELEASE_TOKEN=… desk-release --server https://desk.example    自己的代码库，装有 consultation-desk-contract
  desk-release --folder dist --route "/tickets,./Tickets,session,工单,Tickets"    标准 Module Federation 构建`,
    `\nExit codes: 0 published (or already there with the same content)  1 refused, or the build failed  2 invalid usage\n            3 not reachable, or the token does not allow it\nExamples:\n  RELEASE_TOKEN=… npm run release -w mfe-chat -- --server https://desk.example\n  npm run release -w mfe-chat -- --server https://desk.example --version 1.4.1\n  RELEASE_TOKEN=… desk-release --server https://desk.example    in a separate repository, with consultation-desk-contract\n  desk-release --folder dist --route "/tickets,./Tickets,session,工单,Tickets"    a standard Module Federation build`,
  ],
  seeHelp: ['用 --help 查看用法', 'For usage: --help'],
  badServer: [
    '{from} 应为以 http:// 或 https:// 开头的地址，实际是 "{given}"',
    '{from} must be an address that begins with http:// or https://, got "{given}"',
  ],
  badVersion: [
    '--version 应为 1.4.0 这样的版本号，实际是 "{given}"',
    '--version must be a version such as 1.4.0, got "{given}"',
  ],
  badAddress: [
    '--address 应为以 / 结尾的绝对地址，实际是 "{given}"',
    '--address must be an absolute address with a trailing slash, got "{given}"',
  ],
  noToken: [
    '没有令牌：请用 --token、RELEASE_TOKEN 或 OPS_TOKEN 给出发布令牌或运维令牌。{why}',
    'No token: provide a release token or the ops token with --token, RELEASE_TOKEN or OPS_TOKEN. {why}',
  ],
  noTokenFile: ['也没有读到 {path}。', '{path} could not be read either.'],
  notLocal: [
    '本机的 ops-token 只用于本机的咨询台。',
    'The ops-token of this machine is only used for a desk on this machine.',
  ],
  nothingToBuild: [
    '{folder} 里没有 rspack.config.js。请用 npm run release -w <模块>，或用 --folder 给出已构建的文件夹',
    'There is no rspack.config.js in {folder}. Use npm run release -w <workspace>, or --folder for a built folder',
  ],
  notBuilt: [
    '{folder} 里既没有 release.json，也没有 mf-manifest.json。请先构建：npm run build（标准 Module Federation 构建需设置 manifest: true）',
    'There is no release.json in {folder}, and no mf-manifest.json either. Build it first: npm run build (a standard Module Federation build needs manifest: true)',
  ],
  unfitBuild: ['{folder} 的构建无法在咨询台中运行：', 'The build in {folder} cannot run in the desk:'],
  noVersion: [
    '没有版本号：请加 --version，或在 package.json 或 desk.json 中写明',
    'No version: add --version, or state it in package.json or desk.json',
  ],
  onlyStandard: [
    '{folder} 里有 release.json，--name、--desk 和 --route 只用于标准 Module Federation 构建',
    '{folder} contains release.json: --name, --desk and --route are for standard Module Federation builds only',
  ],
  badRoute: [
    '--route 应为“路径,模块,guard,中文标题,英文标题”五项，例如 "/tickets,./Tickets,session,工单,Tickets"，实际是 "{given}"',
    '--route must have five fields, path,module,guard,Chinese title,English title, such as "/tickets,./Tickets,session,工单,Tickets", got "{given}"',
  ],
  otherVersion: [
    '--version 是 {asked}，但 {folder} 构建为 {built}。版本号在代码里：请用 RELEASE_VERSION={asked} 重新构建',
    '--version is {asked}, but {folder} was built as {built}. The version is in the code: build it with RELEASE_VERSION={asked}',
  ],
  building: ['正在构建 {name} …', 'building {name} …'],
  built: [
    '{id}：{files} 个文件，{size}，提交 {commit}，主机约定 {contract}',
    '{id}: {files} files, {size}, commit {commit}, host contract {contract}',
  ],
  noCommit: ['无（不在 git 仓库中）', 'none (not in a git repository)'],
  dirty: [
    '注意：构建时有未提交的改动，记为 {commit}',
    'note: it was built from uncommitted changes, recorded as {commit}',
  ],
  plainHttp: [
    '注意：{server} 没有加密，令牌会以明文传输',
    'note: {server} is not encrypted, so the token can be read in transit',
  ],
  sending: ['正在发送 {count} 个文件，{size} …', 'sending {count} files, {size} …'],
  resuming: [
    '接着上次：已有 {there} 个，还缺 {count} 个，{size} …',
    'resuming: {there} uploaded, {count} remaining, {size} …',
  ],
  sent: ['{at}/{count} {path} {size}', '{at}/{count} {path} {size}'],
  again: ['{what} 没有成功（{why}），{seconds} 秒后再试', '{what} failed ({why}), retrying in {seconds} s'],
  finishing: ['正在核对并压缩 …', 'checking and compressing …'],
  checkingAddress: ['咨询台正在核对 {address} …', 'the desk is checking {address} …'],
  published: ['已发布 {id}：{base}', '{id} is published: {base}'],
  unchanged: [
    '{id} 早已发布，内容相同，无需改动',
    '{id} is already published with the same content; nothing to do',
  ],
  healed: [
    '{id} 早已发布，内容相同；补回了丢失或损坏的 {count} 个文件',
    '{id} is already published with the same content; {count} lost or corrupted files were restored',
  ],
  next: [
    '线上内容没有变。检查并切换：npm run compose -- set {id}',
    'What is live has not changed. To check it and make it live: npm run compose -- set {id}',
  ],
  dryNew: ['试运行：{id} 尚未发布，可以发布', 'dry run: {id} is not published yet, and can be published'],
  drySame: ['试运行：{id} 已发布，内容相同', 'dry run: {id} is already published with the same content'],
  dryTaken: [
    '试运行：{id} 已发布且内容不同（{different}），请改用新的版本号',
    'dry run: {id} is already published with other content ({different}); please give it a new version',
  ],
  dryUnasked: [
    '试运行：构建正确；没有问咨询台（{why}）',
    'dry run: the build is valid; the desk was not asked ({why})',
  ],
  untrusted: [
    '{server} 的证书不受信任（{why}）。\n如果证书由内部 CA 签发，请用环境变量 NODE_EXTRA_CA_CERTS 指定 CA 证书文件后再试；否则请检查证书的域名与有效期',
    'The certificate of {server} is not trusted ({why}).\nIf a private CA issued it, set NODE_EXTRA_CA_CERTS to the file of its CA certificate and try again; otherwise check its names and its dates.',
  ],
  unreachable: ['无法连接 {server}（{why}）', '{server} could not be reached ({why})'],
  notADesk: [
    '{server} 的应答（{status}）不像咨询台的。请核对 --server',
    '{server} answered with {status}, not like a desk. Please check --server',
  ],
  redirected: [
    '{server} 转到了 {to}。令牌不会跟去；请改用 --server {to}',
    '{server} redirects to {to}. The token is not sent there; use --server {to}',
  ],
  bodyRefused: [
    '{server} 前面的代理不接受这么大的文件（413）。请放宽它的上限',
    'A proxy in front of {server} refuses files of that size (413). Please raise its limit',
  ],
  tokenFrom: ['令牌来自 {from}', 'The token came from {from}'],
  tokenForOther: [
    '令牌来自 {from}。发布令牌只能发布自己的模块：它需要 release:{name} 权限，或在 RELEASE_TOKENS 里写在 {name} 名下',
    'The token came from {from}. It needs the scope release:{name}, or must be listed under {name} in RELEASE_TOKENS',
  ],
  differsIn: ['不同之处：{different}', 'It differs in: {different}'],
  hostMismatch: [
    '没有发布：线上的 {host} 打不开这个构建',
    'Not published: {host}, which is live, could not open this build',
  ],
  wantsLibrary: [
    '它需要 {library} {range}，主机提供的是 {has}',
    'it needs {library} {range}, and the host provides {has}',
  ],
  wantsContract: [
    '它按主机契约 {contract} 构建，主机提供的是 {has}',
    'it was built against the host contract {contract}, and the host offers {has}',
  ],
  hostAdvice: [
    '请在构建中声明主机满足的范围（shared 的 requiredVersion，或主机契约的版本），或加 --force，为以后的主机发布',
    'State a range that the host satisfies (requiredVersion of `shared`, or the version of the contract package), or add --force to publish it for a later host',
  ],
  optionForce: [
    '即使线上的主机打不开也发布，供以后的主机使用',
    'publish even if the live host could not open it, for a later host',
  ],
  inlineMaps: [
    '{count} 个文件内嵌了源码映射，所有访问者都能读到源码（{paths}）；请改用 devtool: "hidden-source-map"（Vite：build.sourcemap: "hidden"）',
    '{count} files contain their source map, so that every visitor could read the sources ({paths}): set devtool: "hidden-source-map" (with Vite build.sourcemap: "hidden")',
  ],
  noDesk: [
    '没有路由，访问者打不开它：请在 {folder} 或其上级文件夹中放置 desk.json，或加 --route',
    'It has no routes, so no visitor could open it: put a desk.json into {folder} or the folder above it, or add --route',
  ],
  noRoutes: [
    '注意：{id} 没有声明路由，访问者打不开它',
    'note: {id} declares no route, so no visitor can open it',
  ],
  newVersion: [
    '请改用新的版本号：改 package.json，或加 --version',
    'Use a new version: in package.json, or with --version',
  ],
  stopped: ['已中断；再次运行会接着发布', 'stopped; run it again to resume'],
} as const satisfies Record<string, readonly [zh: string, en: string]>;

export type ReleaseWord = keyof typeof words;
export type SayRelease = (key: ReleaseWord, values?: Record<string, string | number>) => string;

export function createSayRelease(language: Language): SayRelease {
  return (key, values = {}) =>
    words[key][language === 'en' ? 1 : 0].replace(/\{(\w+)\}/g, (whole, name: string) =>
      String(values[name] ?? whole),
    );
}
