import { childOf, eachChildOf, type XmlElement } from './read-xml.ts';

/** Reference to a list; 0 is none. */
export interface ListReference {
  id?: string | undefined;
  level?: number | undefined;
}

interface Style extends ListReference {
  /** In lower case; built-in names are English in every language of Word. */
  name: string;
  /** Heading level from 1, or 0. */
  heading: number;
  /** Whether its text is hidden; undefined if it does not tell. */
  isHidden?: boolean | undefined;
}

export type Styles = ReturnType<typeof readStyles>;

/** The styles of a Word document by their ids, with what they inherit. */
export function readStyles(bytes: Buffer | undefined) {
  const elements = new Map<string, XmlElement>();
  const styles = new Map<string, Style>();
  let usual = '';
  eachChildOf('styles', bytes, (element) => {
    const { styleId = '', type = '', default: isDefault = '' } = element.attributes;
    if (element.name !== 'style') return;
    elements.set(styleId, element);
    if (type === 'paragraph' && isOn(isDefault)) usual = styleId;
  });

  function styleOf(id: string, depth = 0): Style {
    const known = styles.get(id);
    if (known) return known;
    const element = elements.get(id);
    // Styles may be based on each other.
    if (!element || depth > 50) return { name: '', heading: headingOf(id, undefined) };
    const base = childOf(element, 'basedOn')?.attributes.val;
    const inherited = base ? styleOf(base, depth + 1) : undefined;
    const name = childOf(element, 'name')?.attributes.val?.toLowerCase() ?? '';
    const list = listIn(childOf(element, 'pPr'));
    const style = {
      name,
      heading: headingOf(name, childOf(element, 'pPr')) || (inherited?.heading ?? 0),
      id: list.id ?? inherited?.id,
      level: list.level ?? inherited?.level,
      isHidden: hiddenIn(childOf(element, 'rPr')) ?? inherited?.isHidden,
    };
    styles.set(id, style);
    return style;
  }

  return {
    /** The style of a paragraph or run; the default one of paragraphs if it has none. */
    of: (id: string | undefined): Style => styleOf(id ?? usual),
  };
}

export function listIn(properties: XmlElement | undefined): ListReference {
  const level = childOf(properties, 'numPr', 'ilvl')?.attributes.val;
  return {
    id: childOf(properties, 'numPr', 'numId')?.attributes.val,
    level: level === undefined ? undefined : Number(level),
  };
}

/** Whether the properties of a run hide it; undefined if they do not tell. */
export function hiddenIn(properties: XmlElement | undefined): boolean | undefined {
  const vanish = childOf(properties, 'vanish');
  return vanish && isOn(vanish.attributes.val ?? 'true');
}

/** Heading level by an outline level, or by the name of a style; 0 if it is body text. */
export function headingOf(name: string, properties: XmlElement | undefined): number {
  const named = /^heading ?([1-9])$/i.exec(name)?.[1];
  const outline = childOf(properties, 'outlineLvl')?.attributes.val;
  const level = named
    ? Number(named)
    : outline === undefined || Number(outline) > 8
      ? 0
      : Number(outline) + 1;
  return Math.min(level, 6);
}

export function isOn(value: string): boolean {
  return !/^(?:0|false|off|)$/.test(value);
}
