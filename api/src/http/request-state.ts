import { randomUUID } from 'node:crypto';
import type { Middleware } from 'koa';
import { type Language, languages } from '../contract/language.ts';
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

/** Sets the language of `msg` and of answers. */
export function language(): Middleware<DeskState> {
  return (ctx, next) => {
    ctx.state.language = firstChoice(ctx.get('Accept-Language'));
    return next();
  };
}

/** The first choice of Accept-Language (by q, then by order), if there are texts in it, otherwise the default. */
function firstChoice(header: string): Language {
  let best = { tag: '', q: 0 };
  for (const part of header.slice(0, 1000).split(',')) {
    const [tag = '', ...parameters] = part
      .trim()
      .toLowerCase()
      .split(/\s*;\s*/);
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    const q = weight === undefined ? 1 : Number(weight);
    if (tag !== '' && q > best.q) best = { tag, q };
  }
  return languageOfLocale(best.tag) ?? languages[0];
}
