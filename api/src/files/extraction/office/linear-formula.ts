import { childOf, elementsOf, textIn, type XmlElement } from './read-xml.ts';

/** A formula of Word or PowerPoint (`m:oMath`) on one line: fractions as (a)/(b), powers as x^2, roots as √(x). See ECMA-376 part 1, 22.1. */
export function linearFormula(element: XmlElement): string {
  const part = (name: string) => {
    const child = childOf(element, name);
    return child ? contentOf(child) : '';
  };
  switch (element.name) {
    case 't':
      return textIn(element);
    case 'f':
      return childOf(element, 'fPr', 'type')?.attributes.val === 'noBar'
        ? `(${part('num')} ${part('den')})`
        : `${grouped(part('num'))}/${grouped(part('den'))}`;
    case 'sSup':
      return `${part('e')}^${grouped(part('sup'))}`;
    case 'sSub':
      return `${part('e')}_${grouped(part('sub'))}`;
    case 'sSubSup':
      return `${part('e')}_${grouped(part('sub'))}^${grouped(part('sup'))}`;
    case 'sPre':
      return `_${grouped(part('sub'))}^${grouped(part('sup'))}${part('e')}`;
    case 'rad':
      return `${part('deg')}√(${part('e')})`;
    case 'nary':
      return `${childOf(element, 'naryPr', 'chr')?.attributes.val ?? '∫'}${limits('_', part('sub'))}${limits('^', part('sup'))} ${part('e')}`;
    case 'limLow':
      return `${part('e')}${limits('_', part('lim'))}`;
    case 'limUpp':
      return `${part('e')}${limits('^', part('lim'))}`;
    case 'func':
      return `${part('fName')} ${part('e')}`;
    case 'd':
      return delimited(element);
    case 'br':
    case 'tab':
      return ' ';
    // In PowerPoint, an element of this name contains a formula.
    case 'm':
      return childOf(element, 'mr') ? joined(element, 'mr', '; ') : contentOf(element);
    case 'mr':
      return joined(element, 'e', ', ');
    case 'eqArr':
      return joined(element, 'e', '; ');
    default:
      return /Pr$/.test(element.name) ? '' : contentOf(element);
  }
}

function contentOf(element: XmlElement): string {
  return elementsOf(element).map(linearFormula).join('');
}

function joined(element: XmlElement, name: string, separator: string): string {
  return elementsOf(element)
    .filter((child) => child.name === name)
    .map((child) => (child.name === 'mr' ? linearFormula(child) : contentOf(child)))
    .join(separator);
}

function delimited(element: XmlElement): string {
  const { begChr, endChr, sepChr } = Object.fromEntries(
    ['begChr', 'endChr', 'sepChr'].map((name) => [name, childOf(element, 'dPr', name)?.attributes.val]),
  );
  return `${begChr ?? '('}${joined(element, 'e', sepChr ?? '|')}${endChr ?? ')'}`;
}

function limits(mark: string, text: string): string {
  return text === '' ? '' : mark + grouped(text);
}

/** In parentheses unless it is a single number, word or character. */
export function grouped(text: string): string {
  return /^(?:[\p{L}\p{N}.]*|.)$/u.test(text) ? text : `(${text})`;
}
