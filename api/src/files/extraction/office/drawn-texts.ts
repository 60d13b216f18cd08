import { isOn } from './docx-styles.ts';
import { linearFormula } from './linear-formula.ts';
import { childOf, eachChildOf, elementsNamed, elementsOf, textIn, type XmlElement } from './read-xml.ts';

/** The paragraphs of visible shapes, diagrams and charts within an element (DrawingML), each on one line. */
export function drawnTexts(element: XmlElement): string[] {
  if (isHiddenShape(element)) return [];
  if (element.name === 'p') return [linearFormula(element).replace(/\s+/g, ' ').trim()].filter(Boolean);
  const children = element.name === 'AlternateContent' ? alternativeOf(element) : elementsOf(element);
  return children.flatMap(drawnTexts);
}

/** The paragraphs of a diagram, from its data part. */
export function diagramTexts(bytes: Buffer): string[] {
  const texts: string[] = [];
  eachChildOf('dataModel', bytes, (element) => texts.push(...drawnTexts(element)));
  return texts;
}

/** Whether a shape is hidden. The controls of a sheet are also marked as hidden, although Excel shows them. */
export function isHiddenShape(element: XmlElement): boolean {
  const properties = elementsOf(element).flatMap((child) => {
    if (/^(?:doc|cNv)Pr$/.test(child.name)) return [child];
    return /^nv\w*Pr$/.test(child.name) ? (childOf(child, 'cNvPr') ?? []) : [];
  });
  return (
    /visibility\s*:\s*hidden/i.test(element.attributes.style ?? '') ||
    properties.some(
      (one) => isOn(one.attributes.hidden ?? '') && elementsNamed(one, 'compatExt').length === 0,
    )
  );
}

/** What is read of alternative content: the first alternative with text, a chart or a diagram. */
export function alternativeOf(element: XmlElement): XmlElement[] {
  const alternatives = elementsOf(element);
  const one = alternatives.find(hasText) ?? alternatives[0];
  return one ? elementsOf(one) : [];
}

function hasText(element: XmlElement): boolean {
  if (element.name === 't') return textIn(element) !== '';
  return /^(?:chart|relIds|textpath|sym|fldChar)$/.test(element.name) || elementsOf(element).some(hasText);
}
