import type { Language } from '../../contract/language.ts';
import { environmentMessages } from './environment-messages.ts';
import { helpMessages } from './help-messages.ts';
import { webhookMessages } from './webhook-messages.ts';

/** Output of commands in both languages, with `{name}` placeholders. */
export const words = {
  secondsAgo: ['{count} 秒前', '{count} s ago'],
  minutesAgo: ['{count} 分钟前', '{count} min ago'],
  hoursAgo: ['{count} 小时前', '{count} h ago'],
  daysAgo: ['{count} 天前', '{count} d ago'],

  headComposition: ['组合', 'COMPOSITION'],
  headMade: ['建立', 'MADE'],
  headBy: ['由谁', 'BY'],
  headChanges: ['改动', 'WHAT CHANGED'],
  headWhy: ['原因', 'WHY'],
  headPart: ['模块', 'PART'],
  headVersion: ['版本', 'VERSION'],
  headFallback: ['后备版本', 'FALLS BACK TO'],
  headAddress: ['地址', 'ADDRESS'],
  headRevision: ['次序', 'NO.'],
  headWhen: ['时间', 'WHEN'],
  headMove: ['操作', 'MOVE'],
  headLive: ['线上', 'LIVE'],
  headRelease: ['发布', 'RELEASE'],
  headPublished: ['发布时间', 'PUBLISHED'],
  headContract: ['约定', 'CONTRACT'],
  headFiles: ['文件', 'FILES'],
  headSize: ['大小', 'SIZE'],
  headCommit: ['提交', 'COMMIT'],
  headExposes: ['提供', 'EXPOSES'],
  headShared: ['共享', 'SHARED'],
  headServed: ['送出', 'SENT'],
  headLoads: ['加载', 'LOADS'],
  headFailures: ['失败', 'FAILURES'],
  headErrors: ['错误', 'ERRORS'],

  live: ['线上', 'live'],
  before: ['上一个', 'before'],
  canaryShare: ['灰度 {share}%', 'canary {share} %'],
  more: [
    '还有更早的：npm run compose -- {command} --cursor {cursor}',
    'There are older ones: npm run compose -- {command} --cursor {cursor}',
  ],
  partAdded: ['{name} {version}（新加）', '{name} {version} (new)'],
  partRemoved: ['{name} {version}（移除）', '{name} {version} (removed)'],
  sameReleases: ['版本不变', 'same releases'],

  compositionTitle: ['组合 {id}', 'Composition {id}'],
  madeBy: ['{author} 建立于 {at}（{ago}）：{reason}', 'created by {author} at {at} ({ago}): {reason}'],
  madeFrom: ['基于 {id}', 'created from {id}'],
  liveSince: ['上线于 {at}（{ago}），第 {revision} 次切换', 'Live since {at} ({ago}), move no. {revision}.'],
  liveLonger: ['在最近 {count} 次切换之前就已上线', 'Live since before the last {count} moves.'],
  rollbackTarget: ['退回：npm run compose -- rollback {id}', 'To go back: npm run compose -- rollback {id}'],
  noRollbackTarget: ['此前没有别的组合', 'Nothing was live before.'],
  noWorkingRollbackTarget: ['此前的组合都失败过', 'Every earlier live composition failed.'],
  nothingLive: [
    '这里还没有上线过任何组合。上线第一个：npm run compose -- set host@<版本> mfe-…@<版本> …',
    'Nothing has been live here yet. To make a first one live: npm run compose -- set host@<version> mfe-…@<version> …',
  ],
  firstLive: ['已上线 {to}（第 {revision} 次切换）', 'Live: {to} (move no. {revision})'],
  isLiveNow: ['当前线上就是它', 'This is what is live.'],
  againstLive: ['与线上相比：{changes}', 'Compared with the live composition: {changes}'],

  releaseFails: [
    '✗ {release} 正在失败：过去 {minutes} 分钟内失败 {failures} 次，加载成功 {loads} 次',
    '✗ {release} fails: {failures} failures and {loads} loads in the last {minutes} min',
  ],
  releaseSilent: [
    '✗ {release} 没有启动：过去 {minutes} 分钟内打开 {opened} 个页面，只有 {loads} 个报告',
    '✗ {release} does not start: of {opened} pages in the last {minutes} min {loads} reported',
  ],
  liveFailing: ['线上，失败', 'live, failing'],

  noCanary: ['没有灰度', 'No canary is running.'],
  canaryRuns: [
    '灰度 {id}：{share}% 的访问者，{changes}（{author}，{ago}：{reason}）',
    'Canary {id} for {share} % of visitors: {changes} ({author}, {ago}: {reason})',
  ],
  canaryHalted: [
    '已自动停止（{ago}）：{reason}\n访问者现在看到线上的组合。可以 canary abort 结束，或用 canary resume 或 canary share 10 重新开始',
    'It was stopped automatically {ago}: {reason}\nVisitors get what is live. End it with canary abort, or restart it with canary resume or canary share 10.',
  ],
  canaryPaused: ['已暂停（{author}，{ago}：{reason}）', 'Paused by {author} {ago}: {reason}'],
  canaryPlan: [
    '步骤 {steps}，每步至少 {every} 且 {pages} 个页面',
    'Steps {steps}, each for at least {every} and {pages} pages',
  ],
  canaryStepPages: ['本步已正常加载：{pages}', 'Loaded in this step: {pages}'],
  canaryPages: ['已正常加载：{pages}', 'Loaded: {pages}'],
  stepPages: ['{part} {count} 个页面', '{part} in {count} pages'],
  waitsForTime: ['下一步：{share}%，最早 {at}', 'Next step: {share} %, at {at} at the earliest'],
  waitsForPages: [
    '下一步：{share}%，还在等页面',
    'Next step: {share} %, as soon as enough pages have loaded it',
  ],
  waitsForResume: [
    '下一步：{share}%，恢复之后（canary resume）',
    'Next step: {share} %, after canary resume',
  ],
  waitsForFreeze: [
    '下一步：{share}%，解除冻结之后',
    'Next step: {share} %, when changes are no longer frozen',
  ],
  waitsForPin: [
    '下一步：{share}%，解除锁定之后',
    'Next step: {share} %, when the remote is no longer pinned',
  ],
  frozenUntil: [
    '已由 {author} 冻结到 {until}：{reason}。解除：unfreeze',
    'Frozen until {until} by {author}: {reason}. To end it: unfreeze',
  ],
  unfrozen: ['已解除冻结', 'Changes are possible again.'],
  pinnedBy: [
    '{part} 已由 {author} 锁定：{reason}。解除：unpin {part}',
    '{part} is pinned by {author}: {reason}. To end it: unpin {part}',
  ],
  unpinned: ['{part} 已解除锁定', '{part} can be changed again.'],
  badTime: [
    '{name} 应是将来的时间，例如 2026-12-01T08:00（本地时间）或从现在起的时长 36h，实际是 "{given}"',
    '{name} must be a time in the future such as 2026-12-01T08:00 (local time), or a duration from now such as 36h, got "{given}"',
  ],
  watching: [
    '服务器会观察它到 {at}，失败时自动退回。可以关闭终端',
    'The server watches it until {at} and rolls back if it fails. This terminal may be closed.',
  ],
  watchedUntil: [
    '观察到 {at}，失败时自动退回到 {id}',
    'Watched until {at}; rolled back to {id} if it fails.',
  ],
  watchedFine: ['✓ {id} 仍在线上，没有失败', '✓ {id} is still live and has not failed.'],
  watchRolledBack: [
    '✗ {id} 已自动退回，线上是 {live}：{reason}',
    '✗ {id} was rolled back automatically, {live} is live: {reason}',
  ],
  watchReplaced: [
    '✗ {author} 已把 {id} 换成 {live}：{reason}',
    '✗ {author} replaced {id} by {live}: {reason}',
  ],
  yanked: [
    '{release} 已撤回：不能再选用，也不再作为后备版本。恢复：unyank {release}',
    '{release} was yanked: it cannot be selected, and no page falls back to it. To restore it: unyank {release}',
  ],
  unyanked: ['{release} 可以再次选用', '{release} can be selected again.'],
  yankedLive: [
    '⚠ {environment} 的线上组合 {composition} 仍在用它。换一个：set 或 rollback',
    '⚠ It is still live in {environment} (composition {composition}). To replace it: set or rollback',
  ],
  yankedCanary: [
    '⚠ {environment} 的灰度 {composition} 用到它，会自动停止',
    '⚠ It is in a canary of {environment} ({composition}), which is halted',
  ],
  isYanked: ['已撤回', 'yanked'],
  rule_yanked: ['撤回', 'yanked releases'],
  headState: ['状态', 'STATE'],
  oldTabs: ['旧标签页', 'old tabs'],
  stateFailing: ['{state}，失败', '{state}, failing'],
  healthFailing: ['✗ 线上正在失败：{releases}', '✗ Live and failing: {releases}'],
  healthFine: ['✓ 线上没有失败的版本', '✓ No live release is failing.'],
  healthEmpty: ['没有页面报告', 'No page has reported.'],
  waitsForRestart: ['下一步：{share}%，重新开始之后', 'Next step: {share} %, after it is restarted'],
  stepIsDue: ['下一步：{share}%，马上', 'Next step: {share} %, in a few seconds'],
  lastStep: [
    '已是最后一步。给所有人：canary promote',
    'This was the last step. To make it live for everyone: canary promote',
  ],
  canaryNext: [
    '接下来：npm run compose -- canary status | share <百分比> | pause | resume | promote | abort',
    'Next: npm run compose -- canary status | share <percent> | pause | resume | promote | abort',
  ],
  shareOrSteps: [
    '必须给出选项 --share <百分比> 或 --steps <列表>',
    'option --steps <list> or --share <percent> is required',
  ],
  shareAndSteps: ['--share 与 --steps 只能写一个', '--share and --steps cannot be combined'],
  onlyWithSteps: ['{name} 只能与 --steps 一起用', '{name} requires --steps'],
  everyRequired: [
    '--steps 还需要 --every，例如 --every 10m',
    '--steps also requires --every, such as --every 10m',
  ],
  badSteps: [
    '--steps 应是逐步增大的百分比，第一步小于 100，例如 1,5,25,100，实际是 "{given}"',
    '--steps must be increasing percentages, the first below 100, such as 1,5,25,100, got "{given}"',
  ],
  badDuration: [
    '{name} 应是时长，例如 90s、10m、2h、1d，最长 {days}d，实际是 "{given}"',
    '{name} must be a duration such as 90s, 10m, 2h or 1d, at most {days}d, got "{given}"',
  ],
  noCanaryToEnd: [
    '没有灰度。开始一个：npm run compose -- canary start mfe-chat@1.5.0 --share 10',
    'No canary is running. Start one: npm run compose -- canary start mfe-chat@1.5.0 --share 10',
  ],
  canaryAborted: [
    '灰度已结束，下一次打开页面起所有人看到线上的组合',
    'The canary has ended; everyone gets what is live with their next page.',
  ],
  canaryEnded: ['灰度 {id} 随之结束', 'The canary {id} ended as well.'],
  healthOf: ['页面在过去 {minutes} 分钟内的报告', 'Reported by pages in the last {minutes} min'],

  movedTo: ['已上线 {from} → {to}（第 {revision} 次切换）', 'Live: {from} → {to} (move no. {revision})'],
  nextPages: [
    '下一次打开的页面起生效；已打开的页面保持原样，直到刷新',
    'It applies to newly loaded pages; open pages stay unchanged until they are reloaded.',
  ],
  alreadyLive: ['线上已经是它，没有改动', 'This is already live; nothing was changed.'],
  dryRun: ['试算，没有切换任何内容：', 'Dry run, nothing was switched:'],

  checkFine: ['✓ {id} 可以上线', '✓ {id} can go live'],
  checkNotFine: ['✗ {id} 不能上线，{count} 处问题：', '✗ {id} cannot go live, {count} findings:'],
  checkNotFineOne: ['✗ {id} 不能上线，1 处问题：', '✗ {id} cannot go live, 1 finding:'],
  warning: ['⚠ {message}', '⚠ {message}'],
  checkStops: [
    '检查未通过，没有切换。请按各项说明处理后再试',
    'The check failed and nothing was switched. Please resolve each finding and try again',
  ],
  lookedAt: ['已检查：{counts}（{ms} ms）', 'checked: {counts} ({ms} ms)'],
  rule_reachable: ['可访问', 'can be fetched'],
  rule_integrity: ['完整性', 'integrity'],
  rule_exposes: ['提供的界面', 'exposed screens'],
  rule_shared: ['共享库', 'shared libraries'],
  rule_contract: ['宿主约定', 'host contract'],
  rule_names: ['名称', 'names'],
  rule_routes: ['路由', 'routes'],
  rule_mount: ['实际打开', 'screens opened'],

  diffTitle: ['{from} → {to}，共 {bytes}', '{from} → {to}, {bytes} in all'],
  unchanged: ['不变：{names}', 'unchanged: {names}'],
  contractChange: ['宿主约定 {from} → {to}', 'host contract {from} → {to}'],
  sharedChange: ['共享 {library} {from} → {to}', 'shared {library} {from} → {to}'],
  exposesMore: ['新提供 {names}', 'also exposes {names}'],
  exposesLess: ['不再提供 {names}', 'no longer exposes {names}'],
  filesKept: ['{count} 个文件相同', '{count} files are the same'],
  filesKeptOne: ['1 个文件相同', '1 file is the same'],
  filesOf: ['{count} 个文件，{size}：', '{count} files, {size}:'],
  filesOfOne: ['1 个文件，{size}：', '1 file, {size}:'],
  nothingBefore: [
    '此前没有别的组合可以比较；请写出两个：npm run compose -- diff <组合> <组合>',
    'There is no earlier composition to compare with; name two: npm run compose -- diff <from> <to>',
  ],
  noReleases: [
    '{name} 没有发布过的版本。发布：npm run release -w <模块> -- --server <地址>',
    'No release of {name} was found. To publish one: npm run release -w <remote> -- --server <address>',
  ],

  start: ['启动', 'start'],
  set: ['上线', 'set'],
  rollback: ['退回', 'rollback'],
  canary: ['灰度', 'canary'],
  share: ['调整灰度', 'share'],
  promote: ['灰度转正', 'promote'],
  abort: ['结束灰度', 'abort'],
  halt: ['灰度自停', 'halt'],
  step: ['灰度增加', 'step'],
  pause: ['暂停灰度', 'pause'],
  resume: ['恢复灰度', 'resume'],
  freeze: ['冻结', 'freeze'],
  unfreeze: ['解除冻结', 'unfreeze'],
  pin: ['锁定', 'pin'],
  unpin: ['解除锁定', 'unpin'],
  yank: ['撤回', 'yank'],
  unyank: ['恢复版本', 'unyank'],

  overrideLink: [
    '{url}\n\n请在要看到它的浏览器里打开并确认，只对那个浏览器有效，到 {until} 为止。\n提前结束：页面上方的横幅，或 {leave}',
    '{url}\n\nOpen and confirm it in the browser that is to see it; nobody else is affected, and it ends at {until}.\nTo leave earlier: use the banner on the page, or {leave}',
  ],
  overrideWhat: [
    '需要一个模块和它的入口地址，或 --composition：\n  npm run compose -- override mfe-chat http://127.0.0.1:3002/remoteEntry.js --minutes 60\n  npm run compose -- override --composition 4f2a91c0',
    'expected a remote and the address of its entry, or --composition alone:\n  npm run compose -- override mfe-chat http://127.0.0.1:3002/remoteEntry.js --minutes 60\n  npm run compose -- override --composition 4f2a91c0',
  ],
  badAddress: [
    '入口地址应以 http:// 或 https:// 开头，实际是 "{given}"',
    'the address of an entry must begin with http:// or https://, got "{given}"',
  ],

  badServer: [
    '{from} 应是咨询台的地址，例如 https://desk.example 或 http://127.0.0.1:8080，实际是 "{given}"',
    '{from} must give the address of a desk such as https://desk.example or http://127.0.0.1:8080, got "{given}"',
  ],
  untrusted: [
    '{server} 的证书不受信任（{why}）。\n如果证书由内部 CA 签发，请用环境变量 NODE_EXTRA_CA_CERTS 指定 CA 证书文件后再试；否则请检查证书的域名与有效期',
    'The certificate of {server} is not trusted ({why}).\nIf a private CA issued it, set NODE_EXTRA_CA_CERTS to the file of its CA certificate and try again; otherwise check its names and its dates.',
  ],
  unreachable: [
    '{server} 没有回应（{why}）。\n咨询台在那里运行吗？其他地址：--server https://desk.example，或环境变量 DESK_URL；本机只是端口不同：PORT',
    '{server} does not answer ({why}).\nIs the desk running there? For another address use --server https://desk.example or set DESK_URL; set PORT if only the port on this machine differs.',
  ],
  redirected: [
    '{server} 转到了 {to}。令牌不会跟着转发，请直接写 --server {to}',
    '{server} redirects to {to}. The token is not sent there; use --server {to} if that is the desk',
  ],
  notADesk: [
    '{server} 回应了 {status}，但不像咨询台，或是不认识这个操作的旧版本。请核对 --server',
    '{server} answered {status}, but not like a desk, or it is too old for this command. Please check --server',
  ],
  noToken: [
    '需要运维令牌。查找顺序：--token，环境变量 OPS_TOKEN，文件 {path}（{why}）。\n本机启动的咨询台把令牌写在 DATA_DIR/ops-token；远程的请向运维索取，再设置 OPS_TOKEN',
    'an ops token is required. Checked: --token, OPS_TOKEN, and the file {path} ({why}).\nA desk on this machine stores it in DATA_DIR/ops-token: set DATA_DIR to its folder. For another machine ask its operator, and set OPS_TOKEN.',
  ],
  plainHttp: [
    '注意：{server} 是 http，令牌在途中可被他人看到；请用 https',
    'Note: {server} uses unencrypted http, so the token can be read in transit; use https if possible.',
  ],
  noTokenForRemote: [
    '{server} 需要运维令牌：--token 或环境变量 OPS_TOKEN。本机的 {path} 只用于本机的咨询台',
    '{server} requires the ops token: set OPS_TOKEN or use --token. The file {path} is only used for a desk on this machine.',
  ],
  fileMissing: ['不存在', 'not there'],
  fileEmpty: ['是空的', 'empty'],
  fileForbidden: ['无权读取', 'no read permission'],
  tokenWrong: [
    '令牌取自 {from}，{server} 不接受它。查找顺序：--token，OPS_TOKEN，DATA_DIR/ops-token（默认 ./data）',
    '{server} rejected the token from {from}. Tokens are taken from --token, OPS_TOKEN, DATA_DIR/ops-token (./data by default), in this order.',
  ],
  tokenForbidden: [
    '令牌取自 {from}。令牌的权限：npm run compose -- tokens create --help',
    'The token came from {from}. To see what scopes permit: npm run compose -- tokens create --help',
  ],
  serverSays: [
    '{server} 回应 {status}：{msg}（请求 {id}）',
    '{server} answers {status}: {msg} (request {id})',
  ],
  movedBy: [
    '{author} 在{when}{what}：{changes}，现在线上是 {id}（第 {revision} 次切换）',
    '{when} {author} did "{what}": {changes}; live is now {id} (move no. {revision})',
  ],
  goOnAfterConflict: [
    '请先看 npm run compose -- show，仍要切换就再执行一次同样的命令',
    'Check with npm run compose -- show; if you still want your change, repeat the command.',
  ],
  seeList: ['现有的组合：npm run compose -- list', 'To list compositions: npm run compose -- list'],
  seeShow: [
    '线上和灰度：npm run compose -- show',
    'To show what is live, and its canary: npm run compose -- show',
  ],
  seeReleases: [
    '已发布的版本：npm run compose -- releases',
    'To list published releases: npm run compose -- releases',
  ],
  headToken: ['令牌', 'TOKEN'],
  headScopes: ['权限', 'SCOPES'],
  headExpires: ['到期', 'EXPIRES'],
  headUsed: ['最近使用', 'LAST USED'],
  token_active: ['有效', 'active'],
  token_expired: ['已过期', 'expired'],
  token_revoked: ['已撤销', 'revoked'],
  tokenRevokedBy: ['已由 {name} 撤销', 'revoked by {name}'],
  tokenUntil: ['有效期至 {at}', 'It is valid until {at}'],
  tokenForever: ['不会过期', 'It does not expire'],
  tokenCreated: [
    '{token}\n\n令牌 {name} 已建立，权限：{scopes}。{until}，立即可用。\n它只显示这一次，请现在保存。撤销：npm run compose -- tokens revoke {name}',
    '{token}\n\nCreated the token {name} with the scopes {scopes}. {until}, and can be used at once.\nIt is only shown now, so store it in a safe place. To revoke it: npm run compose -- tokens revoke {name}',
  ],
  tokenRevoked: [
    '令牌 {name} 已撤销，从下一个请求起不再有效',
    'Revoked the token {name}; it is refused from the next request on.',
  ],
  seeTokens: ['现有的令牌：npm run compose -- tokens list', 'To list tokens: npm run compose -- tokens list'],
  badTokenName: [
    '令牌的名称应由 1–64 个小写字母、数字、点、连字符或下划线组成，例如 ci-chat，实际是 "{given}"',
    'the name of a token must be 1–64 lower-case letters, digits, dots, hyphens or underscores, such as ci-chat, got "{given}"',
  ],
  badScope: [
    '权限应是 admin、read、preview、compose:<环境>、release:<模块>（或 *），例如 release:mfe-chat，实际是 "{given}"',
    'a scope must be admin, read, preview, compose:<environment> or release:<remote> (or *), such as release:mfe-chat, got "{given}"',
  ],
  headChange: ['编号', 'CHANGE'],
  headWhat: ['内容', 'WHAT'],
  change_waiting: ['等待批准', 'waiting'],
  change_applied: ['已由 {name} 批准', 'approved by {name}'],
  change_rejected: ['已由 {name} 拒绝', 'rejected by {name}'],
  change_expired: ['已过期', 'expired'],
  change_outdated: ['已失效，线上在此之后有改动', 'outdated: something else was changed since'],
  noChanges: ['没有等待批准的改动', 'No change waits for approval.'],
  waitsForApproval: [
    '还没有上线：生产环境的改动需要另一个令牌批准，{hours} 小时内有效。\n批准：npm run compose -- approve {id}\n撤回：npm run compose -- reject {id}',
    'Nothing was changed yet: a change of production needs the approval of another token within {hours} h.\nTo approve it:  npm run compose -- approve {id}\nTo withdraw it: npm run compose -- reject {id}',
  ],
  changeRejected: ['已拒绝改动 {id}', 'Rejected the change {id}.'],
  changeApproved: ['已批准改动 {id}', 'Approved the change {id}.'],
  seeChanges: [
    '待批准的改动：npm run compose -- changes',
    'To list pending changes: npm run compose -- changes',
  ],
  didYouMean: ['是不是：{names}', 'Did you mean {names}?'],
  noSuchVersion: ['没有 {release}。{name} 最近发布的：', '{release} does not exist. The newest of {name}:'],
  noSuchRemote: [
    '没有名为 {name} 的模块。现有：{names}',
    'There is no remote {name}. Existing remotes: {names}',
  ],
  noSuchRemoteButAlike: [
    '没有名为 {name} 的模块。是不是：{names}',
    'There is no remote {name}. Did you mean {names}?',
  ],

  badRelease: [
    '应写成 名称@版本（例如 mfe-chat@1.4.0），或组合编号的前 6 位以上，实际是 "{given}"。\n已发布的版本：npm run compose -- releases',
    'expected name@version such as mfe-chat@1.4.0, or at least 6 digits of a composition, got "{given}".\nTo list published releases: npm run compose -- releases',
  ],
  badComposition: [
    '应是组合编号的前 6 至 64 位（0–9 a–f），实际是 "{given}"。现有的：npm run compose -- list',
    'expected 6 to 64 digits (0–9 a–f) of a composition, got "{given}". To list them: npm run compose -- list',
  ],
  oneComposition: [
    '{id} 是一个组合，不能再与别的一起写',
    '{id} is a composition and cannot be combined with anything else',
  ],
  namedTwice: ['{name} 写了两次', '{name} is given twice'],
  nothingNamed: [
    '应至少写一个版本，例如 mfe-chat@1.4.0',
    'expected at least one release such as mfe-chat@1.4.0, got none',
  ],
  badNumber: ['{name} 应是 {min}–{max}，实际是 "{given}"', '{name} must be {min}–{max}, got "{given}"'],

  smokeKept: ['正在浏览器里打开 {id} 的 {count} 个界面…', 'opening {count} screens of {id} in a browser …'],
  smokeKeptOne: ['正在浏览器里打开 {id} 的 1 个界面…', 'opening 1 screen of {id} in a browser …'],
  smokeNoPlaywright: [
    '--smoke 需要 playwright，这里没有安装它（npm ci 会安装）。没有打开任何界面，也没有切换',
    '--smoke requires playwright, which is not installed here (npm ci installs it). No screen was opened and nothing was switched',
  ],
  smokeNoBrowser: [
    '--smoke 需要 Chromium：依次找过 CHROMIUM_PATH、PATH 上的 {names}、playwright 自带的。\n安装：apt-get install chromium 或 npx playwright install chromium。没有打开任何界面，也没有切换',
    '--smoke requires a Chromium: checked CHROMIUM_PATH, {names} on PATH, and playwright’s own.\nTo install one: apt-get install chromium, or npx playwright install chromium. No screen was opened and nothing was switched',
  ],
  smokeNotLaunched: [
    '--smoke：{path} 无法启动：{why}\n没有打开任何界面，也没有切换',
    '--smoke: {path} could not be started: {why}\nNo screen was opened and nothing was switched',
  ],
  smokeOther: [
    '打开的页面不是组合 {id} 的，而是 {got} 的：预览没有生效，没有切换',
    'the page was rendered with composition {got} instead of {id}: its preview did not take effect; nothing was switched',
  ],
  smokeAt: ['{paths}：{problem}', '{paths}: {problem}'],
  smokeTooLong: [
    '{seconds} 秒内没有显示界面（main#main 里的标题）',
    'no screen (a heading in main#main) appeared within {seconds} s',
  ],
  smokeBlank: [
    '宿主没有显示任何内容，因此没有打开其余界面',
    'the host shows nothing, so no other screen was opened',
  ],
  smokeOverall: [
    '没有打开，所有界面一共只有 {seconds} 秒',
    'not opened within the {seconds} s for all screens together',
  ],
  smokeShut: ['显示「{heading}」，没有显示界面', 'the page shows “{heading}” instead of its screen'],
  smokeHidden: [
    '界面已打开，但看不见：样式隐藏了页面或主导航。样式不应影响 body、main 等整个页面的元素',
    'the screen is there but cannot be seen: a style sheet hides the page or its main navigation. Styles must not apply to body, main and other elements of the whole page',
  ],
  smokeFellBack: [
    '退回了 {previous}，{release} 没有显示出来',
    'the page fell back to {previous}; {release} did not start',
  ],
  smokeNotLoaded: [
    '有标题，但没有加载 {release} 的任何脚本',
    'there is a heading, but no script of {release} was loaded',
  ],
  smokeAdvice: [
    '在自己的浏览器里看：npm run compose -- override --composition {id}，然后打开 {path}',
    'See it in your own browser: npm run compose -- override --composition {id}, then open {path}',
  ],

  ...environmentMessages,
  ...webhookMessages,
  ...helpMessages,
} as const satisfies Record<string, readonly [zh: string, en: string]>;

export type WordKey = keyof typeof words;
export type Say = (key: WordKey, values?: Record<string, string | number>) => string;

export function createSay(language: Language): Say {
  return (key, values = {}) =>
    wordsOf(key, values)[language === 'en' ? 1 : 0].replace(/\{(\w+)\}/g, (whole, name: string) =>
      String(values[name] ?? whole),
    );
}

/** The singular form if the number is one and there is such a form. */
function wordsOf(
  key: WordKey,
  { count }: Record<string, string | number>,
): readonly [zh: string, en: string] {
  const one = `${key}One`;
  return count === 1 && one in words ? words[one as WordKey] : words[key];
}
