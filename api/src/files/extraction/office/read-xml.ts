import iconv from 'iconv-lite';
import { Parser } from 'saxen';
import { unreadable } from '../file-to-read.ts';

/** SAX handlers. Names are without prefix. */
interface XmlHandlers {
  open?(name: string, attributes: () => Readonly<Record<string, string>>): void;
  close?(name: string): void;
  text?(text: string): void;
}

/** Maximum nesting of elements; Office documents have a few dozen levels. */
const maxDepth = 500;

/** Parses a part of an Office document. @throws FileFailure damaged if it is not XML, ends too early or nests too deeply. */
export function readXml(bytes: Buffer | undefined, { open, close, text }: XmlHandlers): void {
  if (!bytes) return;
  let depth = 0;
  const parser = new Parser();
  parser.on('error', () => {
    throw unreadable('damaged');
  });
  // Office documents must not have a DTD, whose entities would be left out of the text.
  parser.on('attention', (declaration) => {
    if (/^<!doctype/i.test(declaration)) throw unreadable('damaged');
  });
  parser.on('openTag', (name, attributes, decode) => {
    depth += 1;
    if (depth > maxDepth) throw unreadable('damaged');
    open?.(withoutPrefix(name), () => decoded(attributes(), decode));
  });
  parser.on('closeTag', (name) => {
    depth -= 1;
    close?.(withoutPrefix(name));
  });
  parser.on('text', (value, decode) => text?.(decode(value)));
  parser.on('cdata', (value) => text?.(value));
  parser.parse(textOf(bytes));
  if (depth > 0) throw unreadable('damaged');
}

export interface XmlElement {
  name: string;
  attributes: Readonly<Record<string, string>>;
  children: (XmlElement | string)[];
}

/**
 * Passes on the elements directly below each `parent` ('' for the whole document), one after the other, so that a long document is never one tree.
 * @throws FileFailure as readXml does.
 */
export function eachChildOf(parent: string, bytes: Buffer | undefined, visit: (child: XmlElement) => void) {
  const stack: XmlElement[] = [];
  let isWithin = parent === '';
  readXml(bytes, {
    open(name, attributes) {
      if (!isWithin) {
        isWithin = name === parent;
        return;
      }
      const element: XmlElement = { name, attributes: attributes(), children: [] };
      stack.at(-1)?.children.push(element);
      stack.push(element);
    },
    text(text) {
      stack.at(-1)?.children.push(text);
    },
    close() {
      const element = stack.pop();
      if (element && stack.length === 0) visit(element);
      if (!element) isWithin = false;
    },
  });
}

/** A part as one tree below an element without a name; only for parts that are short. */
export function readTree(bytes: Buffer | undefined): XmlElement {
  const children: XmlElement[] = [];
  eachChildOf('', bytes, (root) => children.push(root));
  return { name: '', attributes: {}, children };
}

export function elementsOf({ children }: XmlElement): XmlElement[] {
  return children.filter((child) => typeof child !== 'string');
}

/** The outermost elements of this name below another one. */
export function elementsNamed(element: XmlElement, name: string): XmlElement[] {
  return elementsOf(element).flatMap((child) => (child.name === name ? [child] : elementsNamed(child, name)));
}

/** The first child of this name, or the one at the end of a path of names. */
export function childOf(element: XmlElement | undefined, ...path: string[]): XmlElement | undefined {
  return path.reduce<XmlElement | undefined>(
    (one, name) => one && elementsOf(one).find((child) => child.name === name),
    element,
  );
}

/** The text directly within an element. */
export function textIn(element: XmlElement | undefined): string {
  return element?.children.filter((child) => typeof child === 'string').join('') ?? '';
}

/** Decodes a part by its byte order mark, or by its declaration. */
function textOf(bytes: Buffer): string {
  const head = bytes.toString('latin1', 0, 200);
  const wide = /^(?:\xff\xfe|<\0)/.test(head) ? 'utf-16le' : /^(?:\xfe\xff|\0<)/.test(head) ? 'utf-16be' : '';
  const stated = /^(?:\xef\xbb\xbf)?\s*<\?xml[^>]*\bencoding\s*=\s*["']([\w.:-]+)/.exec(head)?.[1] ?? 'utf-8';
  const encoding = wide || (/^utf-?16/i.test(stated) || !iconv.encodingExists(stated) ? 'utf-8' : stated);
  const text = /^utf-?8$/i.test(encoding) ? bytes.toString('utf8') : iconv.decode(bytes, encoding);
  return text.replace(/^\ufeff/, '');
}

function withoutPrefix(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** Attributes without prefix. One with a prefix wins: in `<p:sldId id="256" r:id="r1"/>` the relationship is what matters. */
function decoded(attributes: Record<string, string>, decode: (text: string) => string) {
  const all = Object.entries(attributes).sort(
    ([one], [other]) => Number(one.includes(':')) - Number(other.includes(':')),
  );
  return Object.fromEntries(all.map(([name, value]) => [withoutPrefix(name), decode(value)]));
}
