import type { Language } from '../contract/language.ts';
import { CommandFailure } from './failure.ts';

/**
 * Throws if `token` cannot be sent in a header, for example because of a line break. The message does not
 * quote the token, since it may be valid apart from that.
 * @param from where the token was found.
 */
export function assertSendable(token: string, from: string, language: Language): void {
  if (/^[\x21-\x7e]+$/.test(token)) return;
  throw new CommandFailure(
    2,
    language === 'en'
      ? `The token from ${from} contains spaces, line breaks or characters that are not allowed. Please copy it again`
      : `来自 ${from} 的令牌含有空格、换行或不会出现在令牌里的字符，请重新复制`,
    { error: 'ops_token_wrong' },
  );
}
