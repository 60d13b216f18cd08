import { Fragment } from 'react';

/** Addresses and numbers inside of other text. At most 200 characters are searched. */
const LINKED =
  /(?<![\w.+-])(?<mail>[\w.+-]{1,64}@(?:[a-z\d-]{1,63}\.){1,5}[a-z]{2,24})(?![\w@-])|(?<![\w+])(?!\d{4}-\d\d-\d\d(?!\d))(?<phone>\+?\d[\d -]{5,18}\d)(?!\w)/giu;

/** Contact details as the visitor wrote them. Mail addresses and telephone numbers become links, everything else stays plain text. */
export function ContactDetails({ text }: { text: string }) {
  return partsOf(text).map(({ start, part, href }) => (
    <Fragment key={start}>{href ? <a href={href}>{part}</a> : part}</Fragment>
  ));
}

/** The text in parts, some with the address of a link. */
export function partsOf(text: string): { start: number; part: string; href?: string }[] {
  const parts: { start: number; part: string; href?: string }[] = [];
  let end = 0;
  const addText = (until: number) => {
    if (until > end) parts.push({ start: end, part: text.slice(end, until) });
  };
  for (const { 0: part, index, groups } of text.matchAll(LINKED)) {
    addText(index);
    const href = groups?.mail ? `mailto:${encodeURI(part)}` : `tel:${part.replace(/[ -]/g, '')}`;
    parts.push({ start: index, part, href });
    end = index + part.length;
  }
  addText(text.length);
  return parts;
}
