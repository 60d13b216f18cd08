import type { Language } from '../contract/language.ts';
import { midwayMessages } from './model-failures.ts';

/** A sentence in both languages. `{field}` is the name of the invalid field, `{count}` a number. */
const messages = {
  invalid_field: ['请求中的 {field} 不正确', 'The field {field} is not valid'],
  invalid_field_because: ['请求中的 {field} 不正确：{reason}', 'The field {field} is not valid: {reason}'],
  invalid_json: ['请求内容不是有效的 JSON', 'The request is not valid JSON'],
  invalid_url: ['请求地址不正确', 'The address of the request is not valid'],
  request_timeout: ['请求没有及时传完，请重试', 'The request did not arrive in time. Please try again.'],
  invalid_http: ['请求格式不正确', 'The request is not valid'],
  wrong_host: ['这个地址不属于本站', 'This server does not serve that host name'],
  session_ended: ['登录过期，请重新登录', 'Your session has ended, please sign in again'],
  sign_in_required: ['请先登录', 'Please sign in first'],
  csrf_failed: ['页面已过期，请刷新后重试', 'This page is out of date, please reload it and try again'],
  forbidden: ['没有权限进行此操作', 'You are not allowed to do this'],
  not_found_page: ['没有找到所请求的内容', 'There is nothing at this address'],
  not_found_record: ['没有找到这条记录', 'This record was not found'],
  not_found_conversation: ['没有找到这个对话', 'This conversation was not found'],
  not_found_contact: ['没有找到这位联系人', 'This contact was not found'],
  not_found_share: ['这个链接不再可用', 'This link is no longer available'],
  not_found_why: ['没有留下这个回答的依据', 'No explanation was stored for this answer'],
  not_found_passage: ['没有找到引用的原文', 'The cited passage was not found'],
  not_found_file: ['没有找到这个文件', 'This file was not found'],
  not_found_document: ['没有找到这份文档', 'This document was not found'],
  not_found_pair: ['没有找到这条问答', 'This question and answer were not found'],
  not_found_handover: ['没有找到这次人工咨询', 'This request for a person was not found'],
  not_found_question: ['这个问题已不在未答列表中', 'This question is no longer in the unanswered inbox'],
  not_found_session: ['没有找到这个登录会话', 'This session was not found'],
  not_found_revision: ['没有找到这一版设置', 'This revision of the settings was not found'],
  not_found_logo: ['没有找到标志', 'The logo was not found'],
  not_found_undo: ['没有可以撤销的删除', 'There is no such deletion to undo'],
  not_found_release: ['没有找到这个发布版本', 'This release was not found'],
  not_found_composition: ['没有找到这个组合', 'This composition was not found'],
  not_found_previous: ['在此之前没有别的组合，无法退回', 'There is no earlier composition to go back to'],
  not_found_working: [
    '此前的组合在页面上都失败过，退回没有意义；仍要退回请指明一个组合',
    'Every earlier composition failed in pages; to go back anyway, name a composition',
  ],
  ambiguous_composition: [
    '有多个组合的编号以此开头，请多写几位',
    'Several compositions match; please give more digits of the id',
  ],
  needs_host: ['组合中必须有主机（host）', 'A composition needs a release of the host'],
  canary_stands: [
    '已有一个灰度改动了同一个模块。请先全量（promote）或中止（abort）它',
    'There is already a canary of the same remote. Please promote or abort it first',
  ],
  canary_too_many: [
    '同时最多四个灰度。请先全量（promote）或中止（abort）一个',
    'At most four canaries can run at once. Please promote or abort one first',
  ],
  canary_several: [
    '有几个灰度在进行，请写明模块，例如 mfe-chat',
    'Several canaries are running. Please name one by its remote, such as mfe-chat',
  ],
  canary_no_plan: [
    '这个灰度没有分步计划，比例不会自动改变，无需暂停',
    'This canary has no steps: its share does not change by itself, so there is nothing to pause',
  ],
  canary_paused: ['灰度已经暂停', 'The canary is already paused'],
  canary_not_paused: ['灰度没有暂停，也没有停止', 'The canary is neither paused nor halted'],
  frozen: [
    '线上内容由 {author} 冻结到 {until}：{reason}。只能退回（rollback --force）或解除冻结（unfreeze）',
    'What is live was frozen by {author} until {until}: {reason}. Only rollback --force and unfreeze are possible',
  ],
  pinned: [
    '线上的版本由 {author} 锁定：{reason}。只能退回（rollback --force）或解除锁定（unpin）',
    'The live release was pinned by {author}: {reason}. Only rollback --force and unpin are possible',
  ],
  freeze_until: [
    '{field} 必须是一年以内的将来时间',
    'The field {field} must be a time in the future, within a year',
  ],
  webhook_url: [
    '{field} 必须是完整的地址，其来源列在服务器的 WEBHOOK_ORIGINS 中，例如 WEBHOOK_ORIGINS=https://hooks.example；不含用户名和密码',
    'The field {field} must be a full address whose origin is listed in WEBHOOK_ORIGINS of the server, such as WEBHOOK_ORIGINS=https://hooks.example, without user name and password',
  ],
  too_many_webhooks: [
    '最多 {count} 个通知地址，请先移除一个',
    'There can be {count} webhooks at most. Please remove one first',
  ],
  not_found_yank: ['这个版本没有撤回', 'This release is not yanked'],
  not_found_webhook: ['没有这个通知地址', 'There is no such webhook'],
  not_found_delivery: ['没有这次发送', 'There is no such delivery'],
  not_found_freeze: ['线上内容没有冻结', 'What is live is not frozen'],
  not_found_pin: ['这个模块没有锁定', 'This remote is not pinned'],
  not_found_remote: ['线上没有这个模块', 'No remote of this name is live'],
  canary_is_live: ['这个组合已经上线，无需灰度', 'That is already live, so there is nothing to try out'],
  canary_halted: [
    '灰度已自动停止。要继续，请恢复（resume）或重新设置比例（share）；否则请中止（abort）',
    'The canary was halted automatically. To continue, resume it or set its share again; otherwise abort it',
  ],
  not_found_account: ['没有这个用户名的账号', 'There is no account with this user name'],
  not_found_canary: ['当前没有灰度', 'No canary is running'],
  override_remote: [
    '{field} 必须是当前组合里的一个模块，例如 mfe-chat',
    'The field {field} must name a remote of the live composition, such as mfe-chat',
  ],
  override_address: [
    '{field} 必须是远程入口的地址，且其来源列在 RELEASE_ORIGINS 中',
    'The field {field} must be the address of a remote entry at one of the origins in RELEASE_ORIGINS',
  ],
  ops_token_wrong: [
    '运维令牌不正确、已过期或已撤销',
    'The ops token is wrong, or has expired or been revoked',
  ],
  scope_missing: ['这个令牌没有所需的权限（{field}）', 'This token does not have the required scope {field}'],
  not_found_token: ['没有这个令牌', 'There is no such token'],
  not_found_change: ['没有这个待批准的改动', 'There is no such pending change'],
  own_change: [
    '这个改动是用同一个令牌提出的，需要另一个令牌批准',
    'This token requested the change; another token has to approve it',
  ],
  token_newer_than_change: [
    '这个令牌是在提出改动之后建立的，不能批准它',
    'This token was created after the change was requested, so it cannot approve it',
  ],
  change_not_waiting: [
    '这个改动已经完成、被拒绝或过期，不再等待批准',
    'This change was applied or rejected, or has expired, and no longer waits for approval',
  ],
  change_token_revoked: [
    '提出这个改动的令牌已失效，请重新提出',
    'The token that requested this change is no longer valid; please request the change again',
  ],
  token_name_taken: [
    '已有或曾有同名的令牌。为使历史不含糊，名称不会重复使用，请换一个名称',
    'There is, or was, a token with this name. Names are not reused, so that the history is unambiguous; please choose another',
  ],
  last_admin_token: [
    '这是最后一个不过期的 admin 令牌，撤销后将无人能管理令牌。请先创建另一个',
    'This is the last admin token that does not expire; without it nobody could manage tokens. Create another one first',
  ],
  forbidden_release: ['这个令牌不能发布该模块', 'This token may not publish that remote'],
  check_failed: [
    '检查未通过，没有切换。请按各项说明处理后再试',
    'The check failed and nothing was switched. Please resolve each finding and try again',
  ],
  version_taken: [
    '该版本已存在且内容不同，已发布的版本不会被覆盖，请改用新的版本号',
    'This version already exists with different content. Nothing is ever overwritten; please use a new version',
  ],
  release_address: [
    '{field} 必须是以 / 结尾的绝对地址，并且属于 RELEASE_ORIGINS 中的来源',
    '{field} must be an absolute address with a trailing slash, at one of RELEASE_ORIGINS',
  ],
  release_file: [
    '内容与声明的大小或 SHA-384 不符，没有保留',
    'This does not have the declared size or SHA-384, and was not stored',
  ],
  release_incomplete: [
    '还有 {count} 个文件没有上传或不完整，请补传后再发布',
    '{count} files are missing or corrupted; please send them and publish again',
  ],
  pointer_moved: [
    '在此期间已有人切换过，请查看后再决定',
    'Somebody else switched in the meantime. Please check again before you retry',
  ],
  composition_edited: [
    '内容与它的编号（{field}）不符：导出后被改动过。请重新导出；要换版本，请用 compose set',
    'The content does not match its {field}: it was changed after the export. Export it again, or choose other releases with compose set',
  ],
  releases_missing: ['这台服务器上没有', 'Not published on this server'],
  releases_differ: ['这台服务器上的内容不同', 'This server has other content under this version'],
  promotion_source_moved: [
    '来源环境的线上组合已经改变，请重新查看后再推送',
    'The environment that this is promoted from has changed meanwhile. Please look at it again.',
  ],
  settings_changed: [
    '设置已被其他管理员修改，请核对后再保存',
    'Another administrator has changed the settings. Please compare, then save again.',
  ],
  conflict: ['与现有内容冲突', 'This conflicts with what is already there'],
  pair_exists: [
    '已有另一条问答包含这个问题或问法，请修改那一条',
    'Another curated answer already has this question, or one of these ways to ask it; please change that one',
  ],
  handover_taken: ['{author} 已经接手了这次咨询', '{author} has already taken this request'],
  handover_closed: [
    '这次人工咨询已经结束，需要时可以再次转人工',
    'This request is closed. You can ask for a person again',
  ],
  handover_full: [
    '一次人工咨询最多 {count} 条消息，请结束后再次转人工',
    'A request can have {count} messages at most. Please close it and ask for a person again',
  ],
  conflict_client_id: [
    '同一个 clientId 已用于另一个问题',
    'This clientId was already used for another question',
  ],
  conflict_contact: [
    '这位联系人的资料已在别处修改，请查看后再保存',
    'This contact was changed elsewhere meanwhile. Please look at it before you save',
  ],
  import_stopped: [
    '导入中断。此前的 {count} 条记录已导入；再次导入同一个文件会接着完成',
    'The import stopped. {count} records before that came in; importing the same file again goes on from there',
  ],
  import_stopped_at: [
    '文件中的 {field} 不正确，导入到此为止。此前的 {count} 条记录已导入；改正后可以再次导入',
    '{field} in the file is not valid, and the import stopped there. {count} records before it came in; correct the file and import it again',
  ],
  knowledge_import_stopped: [
    '导入中断。此前的 {count} 份文档和问答已导入；再次导入同一个文件会接着完成',
    'The import stopped. {count} documents and answers before that came in; importing the same file again goes on from there',
  ],
  knowledge_import_stopped_at: [
    '文件中的 {field} 不正确，导入到此为止。此前的 {count} 份文档和问答已导入；改正后可以再次导入',
    '{field} in the file is not valid, and the import stopped there. {count} documents and answers before it came in; correct the file and import it again',
  ],
  ambiguous_contact: [
    '有多个同名联系人，请选择其中一个',
    'Several contacts have this name, please choose one',
  ],
  too_many_ids: [
    '一次最多选择 5,000 条记录，没有删除任何内容',
    'At most 5,000 records can be chosen at a time; nothing was deleted',
  ],
  too_many_found: [
    '找到的记录超过 50,000 条，请先缩小范围，没有删除任何内容',
    'This finds more than 50,000 records. Please narrow it down; nothing was deleted',
  ],
  too_many_shared: ['一个链接最多分享 2,000 条记录，请先把会话拆开', 'A link can show 2,000 records at most'],
  report_records: [
    '共有 {count} 条记录，一份 PDF 最多 5000 条，请缩小范围',
    'There are {count} records, and a PDF takes 5000 at most. Please narrow it down',
  ],
  report_more_records: [
    '记录超过 {count} 条，一份 PDF 最多 5000 条，请缩小范围',
    'There are more than {count} records, and a PDF takes 5000 at most. Please narrow it down',
  ],
  report_text: [
    '这些记录的文字超过 {count} 字，一份 PDF 放不下，请缩小范围',
    'These records have more than {count} characters, which is too much for one PDF. Please narrow it down',
  ],
  report_layout: [
    '这些记录排版成 PDF 所需的时间或内存过多，请缩小范围',
    'Laying out these records takes too much time or memory for one PDF. Please narrow it down',
  ],
  undo_used: ['这次删除已经撤销过了', 'This deletion has already been undone'],
  expired: ['已超过可撤销的期限', 'The time to undo this has passed'],
  too_large: ['请求内容过大', 'The request is too large'],
  upload_too_large: ['文件总大小超过 {count} MB', 'These files have more than {count} MB in all'],
  too_many_files: ['一次最多上传 {count} 个文件', 'At most {count} files can be uploaded at a time'],
  quota_used: [
    '今天的上传额度只剩 {count} MB，请明天再试',
    'Today’s upload allowance has {count} MB left. Please try again tomorrow',
  ],
  quota_full: [
    '文件空间只剩 {count} MB。请彻底删除一些带文件的记录后再上传',
    'There are {count} MB left for your files. Please permanently delete some records with files first',
  ],
  disk_full: [
    '服务器存储空间不足，请稍后再试',
    'The server has no room for this right now, please try again later',
  ],
  unsupported_type: ['不支持这种内容类型', 'This type of content is not supported'],
  unsupported_logo: ['标志只支持 PNG、JPEG 和 WebP 图片', 'The logo must be a PNG, JPEG or WebP picture'],
  logo_too_large: [
    '标志过大，最大 {count} KB、边长 2048 像素',
    'The logo is too large: at most {count} KB and 2048 pixels on each side',
  ],
  unsupported_file: [
    '不支持这种文件。可以使用文本、Markdown、CSV、JSON、HTML、邮件（EML）、PDF、DOCX、XLSX、PPTX，以及 PNG、JPEG、WebP、GIF 图片',
    'This kind of file is not supported. Text, Markdown, CSV, JSON, HTML, e-mail (EML), PDF, DOCX, XLSX, PPTX and PNG, JPEG, WebP or GIF images are',
  ],
  file_pages: ['文件页数过多，最多 {count} 页', 'This file has too many pages; {count} is the most'],
  file_text: [
    '文件的文字过多，最多 {count} 字',
    'This file has too much text; {count} characters is the most',
  ],
  file_unpacked: ['文件解压后过大，最多 {count} MB', 'This file unpacks to too much; {count} MB is the most'],
  file_pixels: [
    '图片尺寸过大，最多 {count} 百万像素',
    'This image is too large; {count} megapixels is the most',
  ],
  file_memory: [
    '读取这个文件所需内存过多，最多 {count} MB',
    'Reading this file takes too much memory; {count} MB is the most',
  ],
  unreadable_file: ['无法读取这个文件', 'This file cannot be read'],
  unreadable_damaged: [
    '文件已损坏或不完整，无法读取',
    'This file is damaged or incomplete and cannot be read',
  ],
  unreadable_encrypted: [
    '文件有密码保护，请去除密码后再上传',
    'This file is protected by a password; please remove it and upload the file again',
  ],
  unreadable_empty: ['文件是空的', 'This file is empty'],
  unreadable_too_slow: ['读取这个文件用时过长，已停止', 'Reading this file took too long and was stopped'],
  unreadable_no_words: ['文件中没有可读的文字', 'There is no text in this file that could be read'],
  unreadable_not_decoded: [
    '这个 PDF 的字体没有注明是哪些字符，读不出文字',
    'The fonts of this PDF do not say which characters they show, so its text could not be read',
  ],
  unreadable_no_text: [
    '这个 PDF 中没有可读的文字，可能是扫描件',
    'There is no readable text in this PDF; it may be a scan',
  ],
  rate_limited: ['操作过于频繁，请稍后再试', 'Too many requests, please try again in a moment'],
  unavailable: [
    '服务暂时不可用，请稍后再试',
    'The service is not available right now, please try again soon',
  ],
  query_too_slow: [
    '查询用时过长，已停止。请缩小范围或稍后再试',
    'The query took too long and was stopped. Narrow it down, or try again later',
  ],
  model_failed: [
    '回答中断了，已说的部分已保留，请重试',
    'The answer broke off. What was said is kept; please try again',
  ],
  ...midwayMessages,
  internal: ['服务器出错了，请稍后再试', 'Something went wrong on the server, please try again'],
} as const satisfies Record<string, readonly [zh: string, en: string]>;

export type MessageKey = keyof typeof messages;

/**
 * The message `key` in `language` with its parameters filled in, prefixed with the name of the file
 * concerned.
 */
export function messageOf(
  key: MessageKey,
  language: Language,
  details: {
    field?: string;
    count?: number;
    name?: string;
    author?: string;
    reason?: string | readonly [zh: string, en: string];
    until?: Date;
  } = {},
): string {
  const { field = '', count = 0, name, author = '', reason = '', until } = details;
  const told = messages[key][language === 'en' ? 1 : 0]
    .replace('{field}', () => field)
    .replace('{count}', String(count))
    .replace('{until}', () => until?.toISOString().replace(/T(.{5}).*/, ' $1 UTC') ?? '')
    .replace('{author}', () => author)
    .replace('{reason}', () => (typeof reason === 'string' ? reason : reason[language === 'en' ? 1 : 0]));
  if (name === undefined) return told;
  return language === 'en' ? `${name}: ${told}` : `${name}：${told}`;
}
