/** Output and --help of the commands on environments and previews, in both languages. */
export const environmentMessages = {
  headEnvironment: ['环境', 'ENVIRONMENT'],
  headDifference: ['与本环境相比', 'COMPARED WITH THIS ONE'],
  ownEnvironment: ['（本服务器的环境）', '(the environment of this server)'],
  inEnvironment: ['环境 {name}', 'Environment {name}'],

  promotedFrom: ['自 {environment} 推送', 'promote from {environment}'],
  promotionTitle: [
    '{from} → {to}：组合 {id}（第 {revision} 次切换）',
    '{from} → {to}: composition {id} (move no. {revision})',
  ],
  promoteToItself: ['来源和目标都是 {name}', 'source and target are the same: {name}'],
  noEnvironment: [
    '没有名为 {name} 的环境，或那里还没有上线过任何组合。这个数据库里的其他环境：{names}',
    'There is no environment {name}, or nothing has been live in it. Other environments of this database: {names}',
  ],
  otherTarget: [
    '{server} 是环境 {own}，不是 {to}。一个服务器只改变自己的环境：请用 --server 写出 {to} 的服务器',
    '{server} is the environment {own}, not {to}. A server only changes its own environment: use --server with the address of {to}.',
  ],
  notInSource: ['来源里没有 {name}；那里有：{names}', 'The source has no {name}; it has: {names}'],
  noFromToken: [
    '读取 {server} 需要它的令牌：--from-token 或环境变量 FROM_TOKEN（目标的令牌不会发给它）',
    'reading from {server} requires a token of that server: --from-token or FROM_TOKEN (the token of the target is never sent to it)',
  ],
  fromTokenWrong: [
    '{server} 不接受 --from-token 或 FROM_TOKEN 的令牌：{msg}',
    '{server} rejected the token from --from-token or FROM_TOKEN: {msg}',
  ],
  otherContent: [
    '{server} 上的 {release} 内容不同。同一个版本号不能有两种内容：请在来源用新的版本号发布',
    '{release} exists on {server} with other content. A version is never replaced: release it under a new version.',
  ],
  copying: ['正在从 {server} 复制 {release}', 'copying {release} from {server}'],
  notTheRelease: [
    '{server} 给出的 {release} 与组合里记录的摘要不符，没有复制',
    'The description of {release} from {server} does not match the digest in the composition; it was not copied.',
  ],
  notTheFile: [
    '{release} 的 {path} 与它的摘要不符，没有复制',
    '{path} of {release} does not match its hash; it was not copied.',
  ],
  wouldCopy: [
    '将先复制 {names}，复制后检查',
    'These releases would be copied first, and checked afterwards: {names}',
  ],
  seeEnvironments: [
    '各环境的线上组合：npm run compose -- environments',
    'To show what is live in each environment: npm run compose -- environments',
  ],

  helpEnvironmentsCommand: [
    '这个数据库里各环境的线上组合',
    'show what is live in every environment of the database',
  ],
  helpPromoteCommand: [
    '把另一个环境的线上版本推送到本环境：全部，或写出的模块；检查后一步上线',
    'make live here what is live in another environment: everything, or the named remotes; checked, in one step',
  ],
  helpPromoteAbout: [
    `
每个服务器有自己的环境（DESK_ENV），只改变自己的环境。--from 写同一数据库里的环境名，或另一台咨询台的地址：
后者的版本先原样复制过来（不重新构建，逐个核对摘要），中断后再执行一次即可继续。不写模块时，来源没有的模块会被移除。

从另一台咨询台推送时，目标的令牌需要 compose:<环境> 和 release:<每个要复制的模块>（或 release:*）；来源的令牌需要
compose:<环境> 或同样的 release 权限，因为复制包括源码映射。目标的令牌绝不会发给来源。

例子：
  npm run compose -- promote --from staging --dry-run                先看会改变什么
  npm run compose -- promote --from staging --to production          全部
  npm run compose -- promote --from staging mfe-chat mfe-records     只推送这两个
  FROM_TOKEN=… npm run compose -- promote --from https://staging.example --server https://desk.example`,
    `
Each server has one environment (DESK_ENV) and changes no other. --from is the name of another environment in its
database, or the address of another desk. Releases of another desk are first copied unchanged: nothing is built, every
file is compared with its hash, and an interrupted copy continues when the command is repeated. Without names, remotes
that the source does not have are removed.

From another desk, the token of the target needs compose:<its environment> and release:<each copied remote> (or
release:*); that of the source needs compose:<its environment> or the same release scopes, since copies include source
maps. The token of the target is never sent to the source.

Examples:
  npm run compose -- promote --from staging --dry-run                what it would change
  npm run compose -- promote --from staging --to production          everything
  npm run compose -- promote --from staging mfe-chat mfe-records     only these two
  FROM_TOKEN=… npm run compose -- promote --from https://staging.example --server https://desk.example`,
  ],
  helpPromoteRemotes: ['模块名，例如 mfe-chat；不写则为全部', 'names such as mfe-chat; default: everything'],
  helpFrom: [
    '来源：环境名，或另一台咨询台的地址',
    'source: name of an environment, or address of another desk',
  ],
  helpTo: [
    '目标：本服务器的环境名，写错则拒绝；或目标咨询台的地址（同 --server）',
    'target: name of the server’s environment, refused if it is another; or address of the desk, like --server',
  ],
  helpFromToken: [
    '来源咨询台的令牌（FROM_TOKEN）；写在命令行里会被本机其他人看到',
    'token of the source desk (FROM_TOKEN); on the command line other users of this machine can see it',
  ],
  badRemote: [
    '应写模块名，例如 mfe-chat，实际是 "{given}"。版本就是来源线上的版本',
    'expected the name of a remote such as mfe-chat, got "{given}". The version is the one live in the source.',
  ],

  previewLink: [
    '{url}\n\n打开后先显示这是什么、由谁创建，确认之后才以访问者的账号运行。那个浏览器看到组合 {id}，到 {until} 为止；其他人不受影响，线上内容不变。\n提前结束：页面上方的横幅，或 {leave}',
    '{url}\n\nIts page first says what it is and who made it, and runs it with the visitor’s account once they agree. That browser then shows composition {id} until {until}; nobody else is affected and nothing goes live.\nTo leave earlier: use the banner on the page, or {leave}',
  ],
  previewStays: [
    '再次为 {name} 建立预览时，地址不变，显示新的组合，打开过的人需要再次确认',
    'The next preview of {name} keeps this address and shows the new composition, after visitors have agreed to it.',
  ],
  helpPreviewCommand: [
    '生成一个链接，打开它的浏览器看到这些版本或这个组合，一天之内有效',
    'create a link by which browsers that open it see releases or a composition, valid for a day',
  ],
  helpPreviewAbout: [
    `
线上内容不变，也不做检查。需要 preview、compose 或 admin 权限的令牌，可用于团队的 CI。

例子：
  npm run compose -- preview mfe-chat@1.5.0                        一次性的链接
  npm run compose -- preview mfe-chat@1.5.0-login.7 --name login   每个分支一个地址，总是最新的版本
  npm run -s compose -- preview mfe-chat@1.5.0 --json | jq -r .url`,
    `
What is live does not change, and nothing is checked. It requires a token with the scope preview, compose:… or admin,
and can be part of a team's CI.

Examples:
  npm run compose -- preview mfe-chat@1.5.0                        a link of its own
  npm run compose -- preview mfe-chat@1.5.0-login.7 --name login   one address per branch, always the newest release
  npm run -s compose -- preview mfe-chat@1.5.0 --json | jq -r .url`,
  ],
  helpPreviewName: [
    '名称，例如分支：同名的预览地址不变，显示最新的组合',
    'name, such as a branch: the address stays the same for that name and shows the newest composition',
  ],

  helpExportCommand: [
    '把组合写成文件（标准输出），默认是线上的；含每个版本的摘要',
    'print a composition as a file, by default the live one, with the digest of every release',
  ],
  helpImportCommand: [
    '读取 export 写出的文件：核对摘要和各个版本，保存同一个组合；不上线',
    'read a file written by export: compare the hashes, store the same composition; nothing goes live',
  ],
  helpImportAbout: [
    `
组合的编号与原处相同。这里缺少的版本会逐个列出：请先发布它们，或从有它们的咨询台推送（promote --from）。

例子：
  npm run -s compose -- export > live.json
  npm run compose -- import live.json --server https://desk.example
  npm run compose -- set 4f2a91c0 --dry-run`,
    `
The composition keeps its id. Releases that are missing here are named: publish them first, or promote them from a desk
that has them (promote --from).

Examples:
  npm run -s compose -- export > live.json
  npm run compose -- import live.json --server https://desk.example
  npm run compose -- set 4f2a91c0 --dry-run`,
  ],
  helpImportFile: ['文件；- 为标准输入', 'file; - for stdin'],
  cannotRead: ['无法读取 {file}：{why}', 'cannot read {file}: {why}'],
  notExported: ['{file} 不是 compose export 写出的文件', '{file} was not written by compose export'],
  imported: [
    '已保存组合 {id}，所有版本都在。与线上相比：{changes}',
    'Composition {id} is stored, and all of its releases are here. Compared with the live one: {changes}',
  ],
  importedBefore: [
    '组合 {id} 已经在这里，所有版本都在。与线上相比：{changes}',
    'Composition {id} was here already, and so are all of its releases. Compared with the live one: {changes}',
  ],
  importNext: ['上线：npm run compose -- set {id}', 'To make it live: npm run compose -- set {id}'],
  fallbacksMissing: [
    '⚠ 这里没有它的后备版本：{names}；这些模块出错时没有可退回的版本',
    '⚠ Fallback releases that are not here: {names}. If the releases that they replace fail, nothing is shown instead.',
  ],
  seeMissing: [
    '请先发布这些版本，或从有它们的咨询台推送：npm run compose -- promote --from https://…',
    'Publish these releases first, or promote them from a desk that has them: npm run compose -- promote --from https://…',
  ],
  seeDiffering: [
    '版本从不被覆盖：请在导出的服务器上以新版本号发布后再导出，或选用这里的版本：npm run compose -- set …',
    'A version is never replaced: on the server of the export, publish under a new version and export again; or choose the releases of this server: npm run compose -- set …',
  ],
  helpHours: ['有效小时数，1–24（默认 24）', 'duration in hours, 1–24 (default 24)'],
} as const satisfies Record<string, readonly [zh: string, en: string]>;
