import type { Language } from '../contract/contract.ts';
import { CommandFailure } from './compose/failure.ts';

/**
 * Throws when no header can carry `token`: a line break that came along, or other words than it. It is quoted nowhere, since it may
 * be the right one but for that.
 *
 * @param from where it was found.
 */
export function assertSendable(token: string, from: string, language: Language): void {
  if (/^[\x21-\x7e]+$/.test(token)) return;
  throw new CommandFailure(
    2,
    language === 'en'
      ? `The token that came from ${from} has spaces, line breaks or letters that no token has. Please copy it anew`
      : `来自 ${from} 的令牌含有空格、换行或不会出现在令牌里的字符，请重新复制`,
    { error: 'ops_token_wrong' },
  );
}
