import type { Language } from './contract.ts';

/** A sentence for people, in both languages. `{field}` is the name of the field that was wrong. */
const messages = {
  invalid_field: ['请求中的 {field} 不正确', 'The field {field} is not valid'],
  invalid_json: ['请求内容不是有效的 JSON', 'The request is not valid JSON'],
  invalid_url: ['请求地址不正确', 'The address of the request is not valid'],
  invalid_http: ['请求格式不正确', 'The request is not valid'],
  session_ended: ['登录过期，请重新登录', 'Your session has ended, please sign in again'],
  sign_in_required: ['请先登录', 'Please sign in first'],
  csrf_failed: ['页面已过期，请刷新后重试', 'This page is out of date, please reload it and try again'],
  forbidden: ['没有权限进行此操作', 'You are not allowed to do this'],
  not_found_page: ['没有找到所请求的内容', 'There is nothing at this address'],
  not_found_record: ['没有找到这条记录', 'This record was not found'],
  not_found_conversation: ['没有找到这个对话', 'This conversation was not found'],
  not_found_passage: ['没有找到引用的原文', 'The cited passage was not found'],
  not_found_session: ['没有找到这个登录会话', 'This session was not found'],
  not_found_undo: ['没有可以撤销的删除', 'There is no such deletion to undo'],
  conflict: ['与现有内容冲突', 'This conflicts with what is already there'],
  conflict_client_id: [
    '同一个 clientId 已用于另一个问题',
    'This clientId was already used for another question',
  ],
  ambiguous_contact: [
    '有多个同名联系人，请选择其中一个',
    'Several contacts have this name, please choose one',
  ],
  undo_used: ['这次删除已经撤销过了', 'This deletion has already been undone'],
  expired: ['已超过可撤销的期限', 'The time to undo this has passed'],
  too_large: ['请求内容过大', 'The request is too large'],
  unsupported_type: ['不支持这种内容类型', 'This type of content is not supported'],
  unreadable_file: ['无法读取这个文件', 'This file cannot be read'],
  rate_limited: ['操作过于频繁，请稍后再试', 'Too many requests, please try again in a moment'],
  unavailable: [
    '服务暂时不可用，请稍后再试',
    'The service is not available right now, please try again soon',
  ],
  model_failed: [
    '回答中断了，已说的部分已保留，请重试',
    'The answer broke off. What was said is kept; please try again',
  ],
  internal: ['服务器出错了，请稍后再试', 'Something went wrong on the server, please try again'],
} as const satisfies Record<string, readonly [zh: string, en: string]>;

export type MessageKey = keyof typeof messages;

/** The sentence `key` in `language`. */
export function messageOf(key: MessageKey, language: Language, field = ''): string {
  return messages[key][language === 'en' ? 1 : 0].replace('{field}', field);
}
