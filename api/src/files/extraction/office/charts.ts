import type { Block } from './blocks.ts';
import { formatNumber } from './cell-format.ts';
import { drawnTexts } from './drawn-texts.ts';
import type { OfficePackage } from './office-package.ts';
import { childOf, eachChildOf, elementsNamed, elementsOf, textIn, type XmlElement } from './read-xml.ts';

/** Points of a row of figures by their place. */
type Points = Map<number, string>;

interface Series {
  name: string;
  categories: Points;
  values: Points;
  /** The cells that the values come from; '' if unknown. */
  reference: string;
}

/** Maximum number of cells of the table of one chart. */
const maxCells = 100_000;

/** Whether the cells of a reference are read anyway, so that the figures of a chart are not repeated. */
type IsShown = (reference: string) => boolean;

/**
 * Visits the charts that a part refers to: the titles of each, and its figures as a table with categories in rows and
 * series in columns. Calls `onUnread` for one whose figures are not read.
 */
export async function eachChart(
  office: OfficePackage,
  part: string,
  onUnread: () => void,
  visit: (id: string, blocks: Block[]) => void,
  isShown: IsShown = () => false,
): Promise<void> {
  await office.eachRelated(part, ['chart', 'chartEx'], onUnread, async (one) => {
    const { blocks, hasFigures } = await readChart(office, one, isShown);
    if (!hasFigures) onUnread();
    visit(one.id, blocks);
  });
}

async function readChart(office: OfficePackage, chart: { part: string; bytes: Buffer }, isShown: IsShown) {
  const titles: string[] = [];
  const series: Series[] = [];
  const axes: string[] = [];
  eachChildOf('chartSpace', chart.bytes, (element) => {
    if (element.name === 'chartData') series.push(...dataIn(element));
    if (element.name !== 'chart') return;
    for (const one of elementsNamed(element, 'series')) nameSeries(one, series);
    series.push(...shownSeries(element).flatMap(seriesOf));
    const title = childOf(element, 'title');
    if (title) titles.push(drawnTexts(title).join(' '));
    for (const axis of elementsNamed(element, 'title'))
      if (axis !== title) axes.push(drawnTexts(axis).join(' '));
    for (const label of elementsNamed(element, 'rich')) {
      const text = drawnTexts(label).join(' ');
      if (!titles.includes(text) && !axes.includes(text)) axes.push(text);
    }
  });
  for (const { bytes } of await office.relatedTo(chart.part, 'chartUserShapes'))
    eachChildOf('userShapes', bytes, (shape) => axes.push(...drawnTexts(shape)));
  const isRepeated = series.length > 0 && series.every(({ reference }) => isShown(reference));
  const tables = isRepeated ? [] : tablesOf(series);
  const texts = [...titles, ...axes].filter(Boolean).map((text): Block => ({ kind: 'text', text }));
  return { blocks: [...texts, ...tables], hasFigures: isRepeated || tables.length > 0 };
}

/** Series with the same categories are columns of one table. */
function tablesOf(series: readonly Series[]): Block[] {
  const groups = new Map<string, Series[]>();
  for (const one of series) {
    if (one.values.size === 0) continue;
    const key = JSON.stringify([...one.categories]);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()].flatMap((group): Block[] => {
    const places = [...new Set(group.flatMap(({ values }) => [...values.keys()]))].sort((a, b) => a - b);
    if (places.length * group.length > maxCells) return [];
    const { categories } = group[0]!;
    const head = ['', ...group.map(({ name }) => name)];
    const rows = places.map((at) => [
      categories.get(at) ?? (categories.size === 0 ? String(at + 1) : ''),
      ...group.map(({ values }) => values.get(at) ?? ''),
    ]);
    return [{ kind: 'table', rows: [head, ...rows] }];
  });
}

/** Without those that a filter hides. */
function shownSeries(element: XmlElement): XmlElement[] {
  return elementsOf(element).flatMap((child) => {
    if (child.name === 'ser') return [child];
    return /^filtered/.test(child.name) ? [] : shownSeries(child);
  });
}

/** A series, the sizes of its bubbles, and its labels that come from cells. */
function seriesOf(element: XmlElement): Series[] {
  const values = childOf(element, 'val') ?? childOf(element, 'yVal');
  const categories = childOf(element, 'cat') ?? childOf(element, 'xVal');
  const name = childOf(element, 'tx');
  const labels = elementsNamed(element, 'datalabelsRange')[0];
  return [values, childOf(element, 'bubbleSize'), labels].flatMap((figures, at) => {
    if (!figures && at > 0) return [];
    return {
      name: name ? [...pointsIn(name).values()].join(' ') || textIn(childOf(name, 'v')) : '',
      categories: categories ? pointsIn(categories) : new Map(),
      values: figures ? pointsIn(figures) : new Map(),
      reference: figures ? elementsNamed(figures, 'f').map(textIn).join(' ') : '',
    };
  });
}

/** The cached points; those of several levels of categories are joined, outermost first. */
function pointsIn(element: XmlElement): Points {
  const levels = elementsNamed(element, 'lvl');
  if (levels.length === 0) return levelPoints(element);
  const points: Points = new Map();
  const [inner, ...outer] = levels.map(levelPoints);
  const current = outer.map(() => '');
  for (const [at, text] of [...inner!].sort(([one], [other]) => one - other)) {
    for (const [level, texts] of outer.entries()) current[level] = texts.get(at) ?? current[level]!;
    points.set(at, [...current.toReversed(), text].filter(Boolean).join(' '));
  }
  return points;
}

function levelPoints(element: XmlElement): Points {
  const code = textIn(elementsNamed(element, 'formatCode')[0]) || element.attributes.formatCode;
  return new Map(
    elementsNamed(element, 'pt').map((point) => {
      const text = (textIn(childOf(point, 'v')) || textIn(point)).trim();
      const isNumber = code !== undefined && text !== '' && !Number.isNaN(Number(text));
      return [
        Number(point.attributes.idx),
        isNumber ? formatNumber(Number(text), point.attributes.formatCode ?? code) : text,
      ];
    }),
  );
}

/** Charts of newer kinds (`cx:`, such as waterfalls) have their figures apart from their series. */
function dataIn(element: XmlElement): Series[] {
  return elementsNamed(element, 'data').map((data) => {
    const words = childOf(data, 'strDim');
    const numbers = childOf(data, 'numDim');
    return {
      name: '',
      categories: words ? pointsIn(words) : new Map(),
      values: numbers ? pointsIn(numbers) : new Map(),
      reference: numbers ? textIn(childOf(numbers, 'f')) : '',
    };
  });
}

function nameSeries(element: XmlElement, series: readonly Series[]): void {
  const one = series[Number(childOf(element, 'dataId')?.attributes.val ?? 0)];
  const name = childOf(element, 'tx', 'txData', 'v');
  if (one && name) one.name ||= textIn(name);
}
