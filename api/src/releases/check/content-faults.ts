import { type Text, textsOf } from '../../i18n/texts-of.ts';

const textOf = textsOf('findings');

/** Matches modules as bundlers write them for `devtool: 'eval'`. Other calls of eval are in branches of libraries that pages do not reach. */
const EVAL = /\beval\(\s*(?:__\w+_require__\.ts\(\s*)?["'`].*\/\/# source(?:Mapping)?URL=/;
/** A message of style-loader, or a style element that is created with its text. */
const STYLE_ELEMENT =
  /Couldn't find a style target|createElement\(\s*["'`]style["'`]\s*\)[\s\S]{0,300}?(?:createTextNode|\.textContent\s*=|\.innerHTML\s*=|\.innerText\s*=)/;

const USES_EVAL: Text = textOf('uses_eval');
const INSERTS_STYLES: Text = textOf('inserts_styles');

/** Faults of a script that the page's Content-Security-Policy would block. */
export function scriptFaults(text: string): Text[] {
  return [...(EVAL.test(text) ? [USES_EVAL] : []), ...(STYLE_ELEMENT.test(text) ? [INSERTS_STYLES] : [])];
}

/** Whether a classic script assigns the global variable `name`. */
export function assignsGlobal(text: string, name: string): boolean {
  const escaped = name.replaceAll('$', '\\$');
  return new RegExp(
    `\\bvar\\b[^;(){}]*(?<![\\w$.])${escaped}(?![\\w$])|\\b(?:window|self|globalThis|this)(?:\\.${escaped}(?![\\w$])|\\[["'\`]${escaped}["'\`]\\])\\s*=(?!=)|(?:^|[;}\\s])${escaped}\\s*=(?!=)`,
  ).test(text);
}

/** The global array in which the chunks of a classic build register themselves, or undefined if it has none. */
export function chunkRegistryOf(text: string): string | undefined {
  const found =
    /\b(?:self|window|globalThis)(?:\.([\w$]+)|\[["'`]([^"'`]+)["'`]\])\s*=\s*(?:self|window|globalThis)(?:\.\1\b|\[["'`]\2["'`]\])\s*\|\|\s*\[\]/.exec(
      text,
    );
  return found?.[1] ?? found?.[2];
}

/** Returns the reasons why a first state is not allowed. It becomes part of the page. */
export function firstStateFaults(html: string, base: string): Text[] {
  const faults: Text[] = [];
  const tags = [...html.matchAll(/<([a-z][^\s/>]*)((?:[^>"']|"[^"]*"|'[^']*')*)>/gi)];
  for (const [, name = '', attributes = ''] of tags) {
    if (/^(script|style|link|meta|base|iframe|object|embed|template|noscript)$/i.test(name))
      faults.push(textOf('first_state_element', { name }));
    for (const [, attribute = '', , double, single, bare] of attributes.matchAll(
      /([^\s=/"'>]+)(\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g,
    )) {
      const value = (double ?? single ?? bare ?? '').trim();
      if (/^(on|style$|srcdoc$)/i.test(attribute))
        faults.push(textOf('first_state_attribute', { attribute }));
      else if (/^(src|srcset|href|xlink:href|action|formaction|poster|data|ping)$/i.test(attribute))
        if (!isOwn(value, base)) faults.push(textOf('first_state_address', { address: value }));
    }
  }
  const ids = [...html.matchAll(/\sid="([^"]*)"/gi)].map(([, id]) => id ?? '');
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  if (twice !== undefined) faults.push(textOf('first_state_id', { id: twice }));
  const unread = html.replace(/<!--.*?-->/gs, '').replace(/<\/?[a-z](?:[^>"']|"[^"]*"|'[^']*')*>/gi, '');
  if (/<[a-z!/?]/i.test(unread)) faults.push(textOf('first_state_tags'));
  return faults;
}

function isOwn(address: string, base: string): boolean {
  const decoded = address.replaceAll('&amp;', '&').replaceAll('{{base}}', base);
  return /^(#|\?|$)/.test(decoded) || decoded.startsWith(base) || /^\/(?![/\\])/.test(decoded);
}
