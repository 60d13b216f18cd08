import type { OfficePackage } from './office-package.ts';
import { childOf, eachChildOf, elementsNamed, elementsOf, textIn, type XmlElement } from './read-xml.ts';

/**
 * Returns a function that fills content controls (`w:sdt`) which show nothing of their own with their value in the XML parts of the document, as
 * Word does when it opens one that another program has written.
 */
export async function readBindings(
  office: OfficePackage,
  part: string,
): Promise<(element: XmlElement) => void> {
  const data = new Map<string, XmlElement>();
  for (const item of await office.relatedTo(part, 'customXml')) {
    const [properties] = await office.relatedTo(item.part, 'customXmlProps');
    eachChildOf('', properties?.bytes, ({ attributes: { itemID = '' } }) => {
      eachChildOf('', item.bytes, (root) => data.set(itemID.toLowerCase(), root));
    });
  }
  return data.size === 0 ? () => undefined : (element) => fillControls(element, data);
}

function fillControls(element: XmlElement, data: ReadonlyMap<string, XmlElement>): void {
  const properties = childOf(element, 'sdtPr');
  const content = childOf(element, 'sdtContent');
  const { xpath = '', storeItemID = '' } = childOf(properties, 'dataBinding')?.attributes ?? {};
  const root = data.get(storeItemID.toLowerCase());
  const isEmpty =
    childOf(properties, 'showingPlcHdr') !== undefined ||
    (content && elementsNamed(content, 't').every((text) => textIn(text).trim() === ''));
  if (root && content && isEmpty && !childOf(properties, 'picture')) {
    const value = valueAt(root, xpath);
    const paragraph = elementsNamed(content, 'p')[0];
    const run: XmlElement = { name: 'r', attributes: {}, children: [elementOf('t', value)] };
    const format = childOf(paragraph, 'pPr');
    if (value !== '') (paragraph ?? content).children = format ? [format, run] : [run];
  }
  for (const child of elementsOf(element)) fillControls(child, data);
}

function elementOf(name: string, text: string): XmlElement {
  return { name, attributes: {}, children: [text] };
}

/** The text at a path such as `/ns0:order[1]/ns0:lines[1]/@total`; '' if there is none. */
function valueAt(root: XmlElement, path: string): string {
  let found: XmlElement | undefined = { name: '', attributes: {}, children: [root] };
  for (const step of path.split('/').filter(Boolean)) {
    const [, mark, name, place] = /^(@?)(?:[\w.-]+:)?([\w.-]+|\*)(?:\[(\d+)\])?$/.exec(step) ?? [];
    if (mark && name) return found.attributes[name] ?? '';
    const named: XmlElement[] = elementsOf(found).filter((child) => name === '*' || child.name === name);
    found = named[Number(place ?? 1) - 1];
    if (!found) return '';
  }
  return textBelow(found).trim();
}

function textBelow(element: XmlElement): string {
  return element.children.map((child) => (typeof child === 'string' ? child : textBelow(child))).join('');
}
