import type { Language } from '../../contract/language.ts';

const words = {
  help: ['查看并更改账号的权限', 'Show and change the rights of accounts'],
  helpEditor: ['谁可以修改知识库', 'Who may change the knowledge base'],
  helpList: ['列出可以修改知识库的账号', 'List the accounts that may change the knowledge base'],
  helpAdd: ['允许这个账号修改知识库', 'Allow this account to change the knowledge base'],
  helpRemove: ['不再允许这个账号修改知识库', 'Revoke this right from the account'],
  added: ['{username}（{id}）现在可以修改知识库', '{username} ({id}) may now change the knowledge base'],
  removed: [
    '{username}（{id}）不能再修改知识库',
    '{username} ({id}) may no longer change the knowledge base',
  ],
  listed: ['{username}  {id}  注册于 {createdAt}', '{username}  {id}  signed up {createdAt}'],
  nobody: ['没有账号可以修改知识库', 'No account may change the knowledge base'],
} as const satisfies Record<string, readonly [zh: string, en: string]>;

export type AccountsSay = (key: keyof typeof words, values?: Record<string, string>) => string;

export function createAccountsSay(language: Language): AccountsSay {
  return (key, values = {}) =>
    words[key][language === 'en' ? 1 : 0].replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
}
