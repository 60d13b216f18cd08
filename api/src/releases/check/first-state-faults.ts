import { type Text, textsOf } from '../../i18n/texts-of.ts';

const textOf = textsOf('findings');

/** What a first state must not contain: it is part of the page. @returns the reasons. */
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
