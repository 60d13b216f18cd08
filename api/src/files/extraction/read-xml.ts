import { Parser } from 'saxen';
import { unreadable } from './file-failure.ts';

/** What is called for the parts of an XML text, in its order. Names come without their prefix. */
export interface XmlHandlers {
  open?(name: string, attributes: () => Readonly<Record<string, string>>): void;
  close?(name: string): void;
  text?(text: string): void;
}

/** Elements inside each other; documents of Office have some dozens. */
const deepest = 500;

/** Reads a part of an Office document. @throws FileFailure damaged where it is no XML or nests without end. */
export function readXml(bytes: Buffer | undefined, { open, close, text }: XmlHandlers): void {
  if (!bytes) return;
  let depth = 0;
  const parser = new Parser();
  parser.on('error', () => {
    throw unreadable('damaged');
  });
  parser.on('openTag', (name, attributes, decode) => {
    depth += 1;
    if (depth > deepest) throw unreadable('damaged');
    open?.(withoutPrefix(name), () => decoded(attributes(), decode));
  });
  parser.on('closeTag', (name) => {
    depth -= 1;
    close?.(withoutPrefix(name));
  });
  parser.on('text', (value, decode) => text?.(decode(value)));
  parser.on('cdata', (value) => text?.(value));
  parser.parse(bytes.toString('utf8').replace(/^\ufeff/, ''));
}

function withoutPrefix(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

function decoded(
  attributes: Record<string, string>,
  decode: (text: string) => string,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [withoutPrefix(name), decode(value)]),
  );
}
