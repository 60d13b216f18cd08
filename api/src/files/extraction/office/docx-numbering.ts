import { isOn, type ListReference, type Styles } from './docx-styles.ts';
import { listNumber } from './list-numbers.ts';
import { childOf, eachChildOf, elementsOf, type XmlElement } from './read-xml.ts';

interface Level {
  start: number;
  format: string;
  /** `第%1条`, `%1.%2`. */
  text: string;
  /** Between number and text. */
  suffix: string;
  /** Whether the numbers of the levels above are shown as decimals. */
  isLegal: boolean;
  /** The level from 1 whose next number restarts this one; 0 is never, undefined each level above. */
  restart: number | undefined;
  /** Id of the paragraph style with this level. */
  style: string;
}

interface List {
  abstractId: string;
  levels: Map<number, Level>;
  /** Numbers with which this list restarts levels when it is first used. */
  starts: Map<number, number>;
}

export interface Label {
  /** '' for a bullet. */
  text: string;
  suffix: string;
  isBullet: boolean;
  level: number;
}

const maxLevel = 8;

export type Numbering = ReturnType<typeof readNumbering>;

/** The automatic numbers of a Word document as Word shows them, see ECMA-376 part 1, 17.9. */
export function readNumbering(bytes: Buffer | undefined, styles: Styles) {
  const abstracts = new Map<string, XmlElement>();
  const byStyleLink = new Map<string, XmlElement>();
  const nums = new Map<string, XmlElement>();
  eachChildOf('numbering', bytes, (element) => {
    if (element.name === 'abstractNum') {
      abstracts.set(element.attributes.abstractNumId ?? '', element);
      const link = childOf(element, 'styleLink')?.attributes.val;
      if (link) byStyleLink.set(link, element);
    } else if (element.name === 'num') nums.set(element.attributes.numId ?? '', element);
  });
  const lists = new Map<string, List | null>();
  /** Current numbers by level; lists with the same definition continue each other. */
  const counters = new Map<string, Map<number, number>>();
  const started = new Set<string>();

  function listOf(id: string): List | null {
    if (!lists.has(id)) lists.set(id, createList(id));
    return lists.get(id)!;
  }

  function createList(id: string): List | null {
    const num = nums.get(id);
    const stated = abstracts.get(childOf(num, 'abstractNumId')?.attributes.val ?? '');
    if (!num || !stated) return null;
    const link = childOf(stated, 'numStyleLink')?.attributes.val;
    const abstract = (link && (byStyleLink.get(link) ?? abstractOfStyle(link))) || stated;
    const levels = new Map(levelsIn(abstract));
    const starts = new Map<number, number>();
    for (const override of elementsOf(num).filter(({ name }) => name === 'lvlOverride')) {
      const start = childOf(override, 'startOverride')?.attributes.val;
      if (start !== undefined) starts.set(Number(override.attributes.ilvl), Number(start));
      for (const [at, level] of levelsIn(override)) levels.set(at, level);
    }
    return { abstractId: abstract.attributes.abstractNumId ?? '', levels, starts };
  }

  function abstractOfStyle(style: string): XmlElement | undefined {
    const num = nums.get(styles.of(style).id ?? '');
    return abstracts.get(childOf(num, 'abstractNumId')?.attributes.val ?? '');
  }

  return {
    /** Counts a paragraph of a list; null if it has no number. */
    next({ id, level: stated }: ListReference, styleId: string | undefined): Label | null {
      const list = id === undefined || id === '0' ? null : listOf(id);
      if (!list) return null;
      const ofStyle = [...list.levels].find(([, { style }]) => style !== '' && style === styleId)?.[0];
      const at = Math.min(Math.max(Math.trunc(stated ?? ofStyle ?? 0) || 0, 0), maxLevel);
      const level = list.levels.get(at);
      if (!level) return null;
      const numbers = counters.get(list.abstractId) ?? new Map<number, number>();
      counters.set(list.abstractId, numbers);
      // Levels that were skipped have their first number, which the next paragraph of that level follows.
      for (let above = 0; above < at; above += 1) {
        const first = list.starts.get(above) ?? list.levels.get(above)?.start;
        if (first !== undefined && !numbers.has(above)) numbers.set(above, first);
      }
      const start = list.starts.get(at);
      const isFirst = start !== undefined && !started.has(`${id} ${at}`);
      started.add(`${id} ${at}`);
      const before = numbers.get(at);
      numbers.set(at, isFirst ? start : before === undefined ? (start ?? level.start) : before + 1);
      restartBelow(list, numbers, at);
      if (level.format === 'bullet') return { text: '', suffix: ' ', isBullet: true, level: at };
      return { text: textOf(list, numbers, level), suffix: level.suffix, isBullet: false, level: at };
    },
  };
}

/** A deeper level starts again after a number of a level above it. */
function restartBelow(list: List, numbers: Map<number, number>, at: number): void {
  for (let below = at + 1; below <= maxLevel; below += 1) {
    const restart = list.levels.get(below)?.restart;
    if (restart === undefined || (restart > 0 && at < restart)) numbers.delete(below);
  }
}

function textOf(list: List, numbers: ReadonlyMap<number, number>, { text, isLegal }: Level): string {
  return text.replace(/%([1-9])/g, (_, place: string) => {
    const at = Number(place) - 1;
    const level = list.levels.get(at);
    const format = level?.format ?? 'decimal';
    const number = numbers.get(at) ?? list.starts.get(at) ?? level?.start ?? 1;
    return listNumber(number, isLegal && format !== 'decimalZero' ? 'decimal' : format);
  });
}

const suffixes: Readonly<Record<string, string>> = { nothing: '', space: ' ', tab: ' ' };

function levelsIn(element: XmlElement): [number, Level][] {
  return elementsOf(element)
    .filter(({ name }) => name === 'lvl')
    .map((level) => {
      // Formats that older programs do not know are within alternative content.
      const inChoice = childOf(level, 'AlternateContent', 'Choice', 'numFmt');
      const format =
        inChoice ?? childOf(level, 'numFmt') ?? childOf(level, 'AlternateContent', 'Fallback', 'numFmt');
      const valueIn = (name: string) => childOf(level, name)?.attributes.val;
      const restart = valueIn('lvlRestart');
      return [
        Number(level.attributes.ilvl),
        {
          // Without a start, numbers begin with 0, see 17.9.25.
          start: Number(valueIn('start') ?? 0),
          format: formatOf(format),
          text: valueIn('lvlText') ?? '',
          suffix: suffixes[valueIn('suff') ?? 'tab'] ?? ' ',
          isLegal: childOf(level, 'isLgl') !== undefined && isOn(valueIn('isLgl') ?? 'true'),
          restart: restart === undefined ? undefined : Number(restart),
          style: valueIn('pStyle') ?? '',
        },
      ];
    });
}

/** Custom formats show an example: `001, 002, 003, ...`. */
function formatOf(element: XmlElement | undefined): string {
  const { val = 'decimal', format = '' } = element?.attributes ?? {};
  if (val !== 'custom') return val;
  return /^0+1,/.test(format) ? `zeros ${format.indexOf(',')}` : 'decimal';
}
