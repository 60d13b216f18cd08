/** Texts of --help in both languages. */
export const helpMessages = {
  helpUsage: ['用法：', 'Usage:'],
  helpArguments: ['参数：', 'Arguments:'],
  helpOptions: ['选项：', 'Options:'],
  helpGlobal: ['通用选项：', 'Options of every command:'],
  helpCommands: ['命令：', 'Commands:'],
  helpHelp: ['显示说明', 'this help'],

  helpProgram: [
    '决定咨询台的访问者运行哪些代码：查看、检查、切换、退回组合。',
    'Controls which code visitors run: inspect compositions, check them, switch, roll back.',
  ],
  helpAbout: [
    `各团队发布不可更改的「版本」（mfe-chat@1.4.0）；「组合」为外壳和每个模块各选一个版本；一个指针指明线上是哪个组合。
发布不会改变线上的内容，只有下面的 set、rollback、canary promote 会。切换在 1 秒内生效，不需要重启，
已打开的页面保持原样，直到刷新。所有改动都记入 history。

第一次使用：
  1. 在运行咨询台的机器上，于项目目录里执行：     npm run compose -- show
     在别处：export DESK_URL=https://desk.example OPS_TOKEN=…（令牌在那台机器的 DATA_DIR/ops-token）
  2. 看看团队发布了什么：                         npm run compose -- releases mfe-chat
  3. 试算，不切换：                               npm run compose -- set mfe-chat@1.4.0 --dry-run
  4. 上线；不满意就退回：                         npm run compose -- set mfe-chat@1.4.0 --reason "回答更快"
                                                  npm run compose -- rollback

例子：
  npm run compose -- set mfe-chat@1.4.0 mfe-auth@2.0.0 --smoke   一步同时切换，先在浏览器里打开所有界面
  npm run compose -- set mfe-chat@1.4.0 --watch                  观察十分钟，失败时自动退回
  npm run compose -- canary start mfe-chat@1.5.0 --share 10      先给 10% 的访问者
  npm run compose -- canary start mfe-chat@1.5.0 --steps 1,5,25,100 --every 10m
                                                                 健康时自动增加，最后上线
  npm run compose -- canary status                               它与线上相比如何
  npm run compose -- canary promote                              给所有人（abort：不给任何人）
  npm run compose -- freeze --until 2026-12-01T08:00 --reason "大促"
                                                                 到期之前拒绝其他更改
  npm run compose -- health                                      页面报告的健康状况
  npm run compose -- diff 4f2a91c0                               与线上相比，文件有何不同
  npm run compose -- override mfe-chat http://127.0.0.1:3002/remoteEntry.js
                                                                 只有一个浏览器看到开发中的模块
  npm run -s compose -- show --json | jq -r .revision            在脚本里（-s：npm 自己不输出）

组合编号写前 6 位以上即可。

退出码：
  0  完成            1  被拒绝：检查未通过，或已有人先切换
  2  用法不正确      3  没有回应，或没有权限
  4  已提出，等待另一个令牌批准：线上没有改变`,
    `Teams publish immutable releases (mfe-chat@1.4.0); a composition chooses one release of the host and of every remote;
one pointer says which composition is live. Publishing changes nothing that visitors see; set, rollback and canary
promote do. A switch takes effect within a second, without a restart; open pages stay unchanged until they are
reloaded. All changes are recorded in the history.

First steps:
  1. On the machine that runs the desk, in the project's folder:   npm run compose -- show
     From elsewhere: export DESK_URL=https://desk.example OPS_TOKEN=… (the token is in DATA_DIR/ops-token on that machine)
  2. See what a team has published:                                npm run compose -- releases mfe-chat
  3. Try it without switching:                                     npm run compose -- set mfe-chat@1.4.0 --dry-run
  4. Make it live, and go back if there are problems:              npm run compose -- set mfe-chat@1.4.0 --reason "faster"
                                                                   npm run compose -- rollback

Examples:
  npm run compose -- set mfe-chat@1.4.0 mfe-auth@2.0.0 --smoke   both in one step, all screens opened in a browser first
  npm run compose -- set mfe-chat@1.4.0 --watch                  roll back by itself if it fails within ten minutes
  npm run compose -- canary start mfe-chat@1.5.0 --share 10      10 % of visitors first
  npm run compose -- canary start mfe-chat@1.5.0 --steps 1,5,25,100 --every 10m
                                                                 larger shares while it is healthy, then live
  npm run compose -- canary status                               compare it with what is live
  npm run compose -- canary promote                              for everyone (abort: for nobody)
  npm run compose -- freeze --until 2026-12-01T08:00 --reason "release week"
                                                                 other changes are refused until then
  npm run compose -- health                                      what pages report of each release
  npm run compose -- diff 4f2a91c0                               which files differ from what is live
  npm run compose -- override mfe-chat http://127.0.0.1:3002/remoteEntry.js
                                                                 only one browser sees a remote under development
  npm run -s compose -- show --json | jq -r .revision            in scripts (-s: npm itself prints nothing)

Ids of compositions may be given by their first 6 digits or more.

Exit codes:
  0  done           1  refused: the check failed, or somebody else switched first
  2  invalid usage  3  not reachable, or not allowed
  4  requested: another token has to approve it, and nothing has changed yet`,
  ],

  helpServer: [
    '咨询台的地址（DESK_URL，否则 http://127.0.0.1:PORT，PORT 默认 8080）',
    'address of the desk (DESK_URL, else http://127.0.0.1:PORT, PORT being 8080)',
  ],
  helpToken: [
    '令牌（OPS_TOKEN，否则文件 DATA_DIR/ops-token）；写在命令行里会被本机其他人看到',
    'your token (OPS_TOKEN, else the file DATA_DIR/ops-token); on the command line other users of this machine can see it',
  ],
  helpAuthor: [
    '记入历史的姓名，写在令牌的名称旁（默认是系统用户）',
    'name for the history, beside that of the token (default: current system user)',
  ],
  helpJson: ['只输出接口的 JSON；错误仍在 stderr', 'print only the API’s JSON; errors still go to stderr'],
  helpLang: ['zh 或 en（默认按 LANG）', 'zh or en (default: from LANG)'],
  helpReason: ['记入历史的原因', 'reason, for the history'],
  helpLimit: ['最多几行，1–100', 'number of entries, 1–100'],
  helpCursor: ['从这里继续', 'continue from this cursor'],
  helpWithout: ['从组合里移除的模块，可重复', 'remove a remote from the composition; may be repeated'],
  helpSmoke: [
    '先在无头 Chromium 里打开候选组合的每个界面（不会写入任何数据）',
    'first open every screen of the candidate in a headless Chromium (nothing is written on the desk)',
  ],
  helpAllowWeakerGuard: [
    '允许某个路由的访问要求低于现在',
    'let a route go live with a weaker guard than it has now',
  ],
  helpDryRun: ['只检查并说明会改变什么', 'check and show what would change, without switching'],
  helpMinutes: ['有效分钟数，1–480（默认 60）', 'duration in minutes, 1–480 (default 60)'],
  helpSteps: [
    '逐步增大的百分比，例如 1,5,25,100；健康时自动进入下一步，100 即上线',
    'increasing percentages such as 1,5,25,100, taken automatically while it is healthy; 100 makes it live',
  ],
  helpEvery: ['每一步的最短时长，例如 10m', 'minimum duration of a step, such as 10m'],
  helpMinPages: [
    '每一步至少要有多少个页面正常加载（默认 20）',
    'number of pages that must load it in each step (default 20)',
  ],
  helpCanaryName: [
    '有几个灰度时写明模块，例如 mfe-chat',
    'remote of the canary such as mfe-chat; required if several are running',
  ],
  helpWatch: [
    '由服务器观察十分钟，像灰度那样失败时自动退回；等待结果，退回则退出码为 1',
    'let the server watch it for ten minutes and roll back if it fails as a halted canary; waits, exits with 1 if rolled back',
  ],
  helpWatchMinutes: ['同上，但观察这么多分钟，1–1440', 'the same for another number of minutes, 1–1440'],
  helpYankCommand: [
    '撤回一个版本：任何环境都不能再选用，也不再作为后备；线上的不变，会列出',
    'withdraw a release: no environment can select it or fall back to it; what is live stays, and is named',
  ],
  helpUnyankCommand: ['恢复撤回的版本', 'make a yanked release selectable again'],
  helpForce: ['冻结或锁定时也退回', 'also during a freeze, and for pinned remotes'],
  helpReasonRequired: ['原因，会显示给被拒绝的人', 'reason, shown to those whose changes are refused'],
  helpUntil: [
    '到何时，例如 2026-12-01T08:00（本地时间）或 36h',
    'end, such as 2026-12-01T08:00 (local time), or 36h from now',
  ],
  helpFreezeCommand: [
    '冻结线上内容：到期之前拒绝其他更改，灰度不再增加；可以 rollback --force',
    'freeze what is live: until then other changes are refused and canaries take no step; rollback --force is possible',
  ],
  helpUnfreezeCommand: ['提前解除冻结', 'end a freeze early'],
  helpPinCommand: [
    '锁定一个模块的线上版本，拒绝更改它',
    'pin the live release of a remote: changes of it are refused',
  ],
  helpUnpinCommand: ['解除锁定', 'allow changes of it again'],
  helpHealthCommand: [
    '页面报告的健康状况；线上有版本失败时退出码为 1',
    'show what pages report of each release; exits with 1 if a live one is failing',
  ],
  helpHealthMinutes: ['过去多少分钟，5–10080（默认 60）', 'period in minutes, 5–10080 (default 60)'],
  helpIfRevision: [
    '只有切换次序仍是它时才更改（show --json 的 revision）',
    'change only if this is still the revision (that of show --json)',
  ],
  helpShareOption: ['访问者的百分比，0–100', 'percentage of visitors, 0–100'],
  helpOverrideComposition: ['改为预览一个没有上线的组合', 'preview a composition that is not live instead'],

  helpChoice: [
    '版本 mfe-chat@1.4.0 …，没有写到的模块保持不变；或一个组合编号',
    'releases such as mfe-chat@1.4.0 (others stay unchanged), or one composition',
  ],
  helpListCommand: ['保存着的组合，最新的在前', 'list stored compositions, newest first'],
  helpShowCommand: [
    '线上的组合和灰度，或某一个组合',
    'show what is live, with its canary; or one composition',
  ],
  helpReleasesCommand: [
    '已发布的版本；写 mfe-chat@1.4.0 则列出它的文件',
    'list published releases; with mfe-chat@1.4.0 its files',
  ],
  helpCheckCommand: [
    '某个选择能否上线，不能则说明原因',
    'check whether a choice could go live, and what prevents it',
  ],
  helpSetCommand: [
    '检查并上线，几个版本也是一步；正在进行的灰度随之结束',
    'check it and make it live, several releases in one step; ends a running canary',
  ],
  helpRemoveCommand: [
    '从上线的组合中去掉模块，它的路由和菜单随之消失',
    'take remotes out of the live composition, with their routes and menu entries',
  ],
  helpDiffCommand: [
    '两个组合有何不同；只写一个则与线上相比；不写则是上一个与线上',
    'compare two compositions; one id: compare with the live one; none: compare the previous one with the live one',
  ],
  helpResolveStackCommand: [
    '把上报的堆栈（文件，或标准输入）换成源代码里的位置',
    'resolve a reported stack trace, from a file or stdin, to positions in the sources',
  ],
  helpRollbackCommand: [
    '退回上一个组合，或指定的组合',
    'go back to the previous composition, or to another one',
  ],
  helpHistoryCommand: ['指针的每一次移动，最新的在前', 'list every move of the pointer, newest first'],
  helpChangesCommand: [
    '列出等待第二个令牌批准的改动（PRODUCTION_APPROVALS=2），最新的在前',
    'list changes that need a second token (PRODUCTION_APPROVALS=2), newest first',
  ],
  helpApproveCommand: ['批准一个改动，立即上线', 'approve a change, which takes effect at once'],
  helpRejectCommand: ['拒绝或撤回一个改动', 'reject or withdraw a change'],
  helpChangeId: ['改动的编号，见 changes', 'id of the change, see changes'],
  helpTokensCommand: [
    '令牌：create、list、revoke（需要 admin 权限）',
    'create, list and revoke tokens (requires the scope admin)',
  ],
  helpTokensCreate: [
    '建立一个令牌，只显示一次；立即对所有进程有效',
    'create a token, which is shown only once; every process accepts it at once',
  ],
  helpTokensList: [
    '列出令牌，包括已过期和已撤销的，最新的在前',
    'list tokens, newest first, including expired and revoked ones',
  ],
  helpTokensRevoke: [
    '撤销一个令牌；所有进程从下一个请求起拒绝它',
    'revoke a token; every process refuses it from the next request on',
  ],
  helpTokenName: [
    '令牌的名称，也是历史里记录的作者，不会重复使用',
    'name of the token, which the history shows; names are never reused',
  ],
  helpScope: ['权限，可重复或用逗号分隔', 'what the token permits; may be repeated, or separated by commas'],
  helpExpires: [
    '有效期，例如 12h、90d（默认不过期）',
    'lifetime such as 12h or 90d (default: it does not expire)',
  ],
  helpScopes: [
    `权限：
  release:mfe-chat     发布 mfe-chat 的版本（release:*：任何模块）
  preview              生成预览链接
  compose:production   改变环境 production 的线上内容（compose:*：任何环境），也可预览
  read                 只能查看；其他权限都可以查看
  admin                以上全部，以及管理令牌和知识库的编辑者

例子：
  npm run compose -- tokens create ci-chat --scope release:mfe-chat,preview --expires 90d
  npm run compose -- tokens create zhang --scope compose:production
  npm run -s compose -- tokens create zhang --scope admin --json | jq -r .token`,
    `Scopes:
  release:mfe-chat     publish releases of mfe-chat (release:*: of any remote)
  preview              create links for previews
  compose:production   change what is live in the environment production (compose:*: in any), and previews
  read                 only look; all other scopes include this
  admin                all of these, and managing tokens and the editors of the knowledge base

Examples:
  npm run compose -- tokens create ci-chat --scope release:mfe-chat,preview --expires 90d
  npm run compose -- tokens create zhang --scope compose:production
  npm run -s compose -- tokens create zhang --scope admin --json | jq -r .token`,
  ],
  helpOverrideCommand: [
    '生成一个链接，只有打开它的浏览器看到开发中的模块（RELEASE_ORIGINS 之内）或未上线的组合',
    'create a link by which only one browser sees a remote under development (within RELEASE_ORIGINS), or a composition that is not live',
  ],
  helpCanaryCommand: [
    '先给一部分访问者：start、status、share、pause、resume、promote、abort；改动不同模块的可以同时进行',
    'show it to a share of visitors first: start, status, share, pause, resume, promote, abort; several at once if they change different remotes',
  ],
  helpCanaryStart: [
    '开始灰度，比例固定（--share）或自动增加（--steps）；问题多时会自动停止',
    'start a canary with a fixed share or with steps; it stops automatically when too many pages fail',
  ],
  helpCanaryShare: ['改变百分比', 'change the percentage'],
  helpCanaryStatus: ['进行得如何，与线上相比', 'compare its health with the live composition'],
  helpCanaryPause: ['暂停自动增加；访问者看到的不变', 'suspend its steps; visitors keep what they have'],
  helpCanaryResume: [
    '继续自动增加，或重新开始自动停止了的灰度',
    'continue its steps, or restart one that was halted',
  ],
  helpCanaryPromote: ['给所有人', 'make it live for everyone'],
  helpCanaryAbort: ['结束，所有人看到线上的组合', 'end it; everyone gets what is live'],

  usageSeeHelp: ['用法：npm run compose -- {command}--help', 'For usage: npm run compose -- {command}--help'],
} as const satisfies Record<string, readonly [zh: string, en: string]>;
