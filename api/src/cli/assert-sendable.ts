import type { Language } from '../contract/language.ts';
import { textsOf } from '../i18n/texts-of.ts';
import { CommandFailure } from './failure.ts';

/**
 * Throws if `token` cannot be sent in a header, for example because of a line break. The message does not
 * quote the token, since it may be valid apart from that.
 * @param from where the token was found.
 */
export function assertSendable(token: string, from: string, language: Language): void {
  if (/^[\x21-\x7e]+$/.test(token)) return;
  throw new CommandFailure(2, textsOf('cli-usage')('unsendable_token', { from })(language), {
    error: 'ops_token_wrong',
  });
}
