import { Parser } from 'saxen';
import { unreadable } from './file-failure.ts';

/** SAX handlers. Names are without prefix. */
interface XmlHandlers {
  open?(name: string, attributes: () => Readonly<Record<string, string>>): void;
  close?(name: string): void;
  text?(text: string): void;
}

/** Maximum nesting of elements; Office documents have a few dozen levels. */
const maxDepth = 500;

/** Parses a part of an Office document. @throws FileFailure damaged if it is not XML or nests too deeply. */
export function readXml(bytes: Buffer | undefined, { open, close, text }: XmlHandlers): void {
  if (!bytes) return;
  let depth = 0;
  const parser = new Parser();
  parser.on('error', () => {
    throw unreadable('damaged');
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
