import { linearFormula } from './linear-formula.ts';
import { elementsOf, textIn, type XmlElement } from './read-xml.ts';

/** The paragraphs of shapes, diagrams and charts within an element (DrawingML), each on one line. */
export function drawnTexts(element: XmlElement): string[] {
  if (element.name === 'p') return [linearFormula(element).replace(/\s+/g, ' ').trim()].filter(Boolean);
  const children = element.name === 'AlternateContent' ? alternativeOf(element) : elementsOf(element);
  return children.flatMap(drawnTexts);
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
