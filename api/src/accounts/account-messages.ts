import type { Language } from '../contract/language.ts';

const messages = {
  signed_up: ['注册成功，请登录', 'You have signed up, please sign in'],
  signed_in: ['登录成功', 'You are signed in'],
  signed_out: ['已退出登录', 'You are signed out'],
  is_signed_in: ['已登录', 'You are signed in'],
  password_changed: [
    '密码已修改，其他设备已退出登录',
    'The password is changed, other devices are signed out',
  ],
  session_over: ['已结束该登录会话', 'The session is ended'],
  all_sessions_over: ['已退出所有设备', 'All devices are signed out'],
  account_deleted: ['账号及其全部内容已删除', 'The account and everything in it is deleted'],
  name_length: [
    '用户名需为 3–64 个字符，含汉字时至少 2 个',
    'A user name has 3–64 characters, or at least 2 with Chinese characters',
  ],
  name_characters: ['用户名含有不可见的字符', 'The user name has invisible characters'],
  name_scripts: [
    '用户名不能混用不同文字中外形相似的字母，请只用一种',
    'A user name can’t mix alphabets whose letters look alike. Please use one of them',
  ],
  name_taken: ['用户名已被使用', 'This user name is taken'],
  password_length: ['密码需为 8–128 个字符', 'A password has 8–128 characters'],
  password_common: [
    '这个密码太常见，容易被猜到，请换一个',
    'This password is too common and easy to guess. Please choose another one',
  ],
  password_like_name: [
    '密码与用户名太接近，请换一个',
    'The password is too close to the user name. Please choose another one',
  ],
  wrong_sign_in: ['用户名或密码错误', 'The user name or the password is wrong'],
  wrong_password: ['密码错误', 'The password is wrong'],
  registration_closed: ['暂不开放注册', 'Sign-up is closed'],
} as const satisfies Record<string, readonly [zh: string, en: string]>;

export type AccountMessageKey = keyof typeof messages;

export type RefusalKey =
  | 'name_length'
  | 'name_characters'
  | 'name_scripts'
  | 'name_taken'
  | 'password_length'
  | 'password_common'
  | 'password_like_name'
  | 'wrong_sign_in'
  | 'wrong_password'
  | 'registration_closed';

export function accountMessage(key: AccountMessageKey, language: Language): string {
  return messages[key][language === 'en' ? 1 : 0];
}
