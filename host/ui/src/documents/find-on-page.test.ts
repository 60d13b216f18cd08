import { describe, expect, test } from '@jest/globals';
import { findOnPage } from './find-on-page.ts';

const runsOf = (...texts: string[]) => texts.map((str) => ({ str }));
/** The found text, one string for each run. */
const foundIn = (texts: string[], quote: string, expected?: number) =>
  findOnPage(runsOf(...texts), quote, expected).map(({ index, from, to }) => texts[index]?.slice(from, to));

describe('a quote is found', () => {
  test('across runs, without the text around it', () => {
    const texts = ['Ships. The repair ', 'vessel is called', ' Aurelia. More'];
    expect(foundIn(texts, 'The repair vessel is called Aurelia.')).toEqual([
      'The repair',
      'vessel is called',
      'Aurelia',
    ]);
  });

  test('although words are hyphenated at line ends, or spaces are missing', () => {
    expect(foundIn(['a submarine trans-', 'mission line'], 'submarine transmission line')).toEqual([
      'submarine trans',
      'mission line',
    ]);
    expect(foundIn(['keeper is called'], 'keeperis called')).toEqual(['keeper is called']);
  });

  test('although it has ligatures, full-width forms, accents and soft hyphens', () => {
    expect(foundIn(['e\uFB03cient o\uFB03ces'], 'efficient offices')).toEqual(['e\uFB03cient o\uFB03ces']);
    expect(foundIn(['编号ＡＢ－１２３'], '编号 AB-123')).toEqual(['编号ＡＢ－１２３']);
    expect(foundIn(['cafe\u0301 menu'], 'caf\u00e9 menu')).toEqual(['cafe\u0301 menu']);
    expect(foundIn(['in\u00adter\u00adnal'], 'internal')).toEqual(['in\u00adter\u00adnal']);
    expect(foundIn(['𠮷野家 opens'], '𠮷野家')).toEqual(['𠮷野家']);
  });

  test('although it has the marks of headings, lists and tables', () => {
    expect(foundIn(['Prices', 'Pump', '12.50'], '# Prices\n\n| Pump | 12.50 |')).toEqual([
      'Prices',
      'Pump',
      '12.50',
    ]);
  });

  test('where it is expected, if it occurs more than once', () => {
    const texts = ['total 5', 'some other words here', 'total 5', 'and the end of it', 'total 5'];
    const at = (expected: number) => findOnPage(runsOf(...texts), 'Total 5', expected)[0]?.index;
    expect([at(0), at(0.5), at(1)]).toEqual([0, 2, 4]);
  });

  test('part by part, if its cells are in another order on the page', () => {
    expect(
      foundIn(['Pump station', 'Valve', 'in Bremen', 'in Hamburg'], '| Pump station | in Hamburg |'),
    ).toEqual(['Pump station', 'in Hamburg']);
  });
});

test('a quote that is not on the page is not found, nor is one of which only a small part is there', () => {
  expect(foundIn(['Another page'], 'The repair vessel')).toEqual([]);
  expect(foundIn([], 'The repair vessel')).toEqual([]);
  expect(foundIn(['Some words'], '——')).toEqual([]);
  expect(foundIn(['The vessel'], 'The vessel\nhas a crew of forty people and two boats')).toEqual([]);
});
