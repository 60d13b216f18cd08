import { randomUUID } from 'node:crypto';
import type { Middleware } from 'koa';
import { languages } from '../contract/language.ts';
import { languageOfLocale } from '../i18n/language-of-locale.ts';
import type { DeskState } from './desk-state.ts';

/** The id of a request, for response, log and error body. A trusted proxy's id is reused. */
export function requestId({ trustProxy }: { trustProxy: number }): Middleware<DeskState> {
  return async (ctx, next) => {
    const given = trustProxy > 0 ? ctx.get('X-Request-Id') : '';
    ctx.state.requestId = /^[\w.-]{1,64}$/.test(given) ? given : randomUUID();
    ctx.set('X-Request-Id', ctx.state.requestId);
    await next();
  };
}

/** Sets the language of `msg` and of answers: the browser's first choice, if there are texts in it. */
export function language(): Middleware<DeskState> {
  return (ctx, next) => {
    const [choice = ''] = ctx.acceptsLanguages();
    ctx.state.language = languageOfLocale(choice) ?? languages[0];
    return next();
  };
}
