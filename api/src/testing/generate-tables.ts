import type { Language } from '../contract/language.ts';
import { createRandom, type Random } from './random.ts';

interface LookUp {
  text: string;
  language: Language;
  /** The row with the answer, and the requested cell; null if the table has no such row or column. */
  answer: { row: readonly string[]; cell: string } | null;
  /** What is missing in the table; null if it contains the answer. */
  lacks: 'row' | 'column' | null;
}

export interface GeneratedTable {
  name: string;
  title: string;
  language: Language;
  head: readonly string[];
  rows: readonly (readonly string[])[];
  lookUps: LookUp[];
}

interface Shape {
  name: string;
  title: string;
  language: Language;
  head: readonly string[];
  row(random: Random, at: number): string[];
  /** Columns that identify rows. */
  keys: readonly number[];
  /** Phrasings of questions for a column, by its number. */
  asks: Record<number, (key: string, byKey: number) => string[]>;
  /** Questions for a column that does not exist. */
  lacks: (key: string) => string;
}

const adjectives =
  'Oslo Bergen Turin Malmo Verona Lisbon Porto Basel Lyon Ghent Krakow Riga Split Graz Cork Leeds'.split(' ');
const materials = 'oak steel walnut bamboo linen cotton glass marble copper felt cork ceramic'.split(' ');
const things =
  'desk lamp|bookshelf|office chair|side table|coat rack|wall clock|storage box|floor mat|mirror|footstool|plant stand|monitor arm'.split(
    '|',
  );
const firstNames =
  'Maria Chen|James Okafor|Priya Nair|Tom Becker|Aisha Khan|Lukas Novak|Emma Rossi|Daniel Kim|Sofia Lopez|Noah Fischer|Grace Mbeki|Ivan Petrov|Hana Sato|Omar Farouk|Julia Weber|Peter Lindgren'.split(
    '|',
  );
const departments =
  'Finance|Procurement|Logistics|Legal|Research|Customer Care|Human Resources|Quality'.split('|');
const surnames = '王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧'.split('');
const given = '伟芳娜敏静丽强磊军洋勇艳杰娟涛明超秀霞平刚桂英华玉兰萍红丹宁琳辉欣雪晨阳'.split('');
const goods =
  '保温杯|帆布袋|台灯|蓝牙音箱|笔记本|签字笔|折叠椅|收纳箱|充电宝|雨伞|鼠标垫|颈枕|毛毯|闹钟|水壶|手账本'.split(
    '|',
  );
const colours = '雾蓝|米白|炭黑|墨绿|樱粉|姜黄|银灰|酒红'.split('|');
const makers = '苏州宏达|宁波远航|东莞立信|杭州青禾|厦门海川|成都金沙|青岛蓝湾|武汉长江'.split('|');
const offices = '人事部|财务部|采购部|法务部|研发部|客服部|市场部|仓储部'.split('|');

const digits = (random: Random, count: number) =>
  Array.from({ length: count }, () => random.int(10)).join('');
const padded = (at: number, width: number) => String(at).padStart(width, '0');

const shapes: Shape[] = [
  {
    name: 'prices-en',
    title: 'Price list',
    language: 'en',
    head: ['SKU', 'Product', 'Price', 'Stock', 'Warehouse', 'Lead time'],
    keys: [0, 1],
    row: (random, at) => [
      `SKU-${padded(at * 7 + 13, 5)}`,
      `${random.pick(adjectives)} ${random.pick(materials)} ${random.pick(things)} ${20 + random.int(40) * 5} cm`,
      `€${random.int(900) + 5}.${digits(random, 2)}`,
      String(random.int(4000)),
      `${random.pick(['North', 'South', 'East', 'West'])} ${1 + random.int(9)}`,
      `${1 + random.int(30)} days`,
    ],
    asks: {
      2: (key) => [`What is the price of ${key}?`, `How much does ${key} cost?`, `price ${key}`],
      3: (key) => [`How many ${key} are in stock?`, `What is the stock of ${key}?`],
      4: (key) => [`Which warehouse is ${key} in?`],
      5: (key) => [`What is the lead time for ${key}?`],
      1: (key, by) => (by === 0 ? [`Which product has the SKU ${key}?`] : []),
      0: (key, by) => (by === 1 ? [`What is the SKU of ${key}?`] : []),
    },
    lacks: (key) => `Who is the manufacturer of ${key}?`,
  },
  {
    name: 'prices-zh',
    title: '商品价目表',
    language: 'zh',
    head: ['货号', '名称', '单价（元）', '库存', '供应商', '保质期'],
    keys: [0, 1],
    row: (random, at) => [
      `HP${padded(at * 3 + 101, 5)}`,
      `${random.pick(colours)}${random.pick(goods)}${100 + random.int(90) * 10}型`,
      `${random.int(900) + 5}.${digits(random, 1)}0`,
      String(random.int(4000)),
      `${random.pick(makers)}${random.pick(['商贸', '实业', '百货'])}有限公司`,
      `${6 + random.int(40)}个月`,
    ],
    asks: {
      2: (key) => [`${key}的单价是多少？`, `${key}多少钱`],
      3: (key) => [`${key}的库存是多少？`, `${key}还有多少库存`],
      4: (key) => [`${key}是哪家供应商供的？`, `${key}的供应商是谁`],
      5: (key) => [`${key}的保质期多长？`],
      0: (key, by) => (by === 1 ? [`${key}的货号是什么？`] : []),
      1: (key, by) => (by === 0 ? [`货号${key}是什么商品？`] : []),
    },
    lacks: (key) => `${key}的产地在哪里？`,
  },
  {
    name: 'staff-en',
    title: 'Staff directory',
    language: 'en',
    head: ['Name', 'Department', 'Extension', 'Room', 'Email'],
    keys: [0],
    row: (random, at) => {
      const [first] = random.pick(firstNames).split(' ');
      const [, last] = random.pick(firstNames).split(' ');
      const suffix = `${String.fromCharCode(65 + (at % 26))}${String.fromCharCode(97 + (Math.floor(at / 26) % 26))}${String.fromCharCode(97 + random.int(26))}ner`;
      return [
        `${first} ${last}-${suffix}`,
        random.pick(departments),
        digits(random, 4),
        `${random.pick(['A', 'B', 'C'])}${1 + random.int(9)}${digits(random, 2)}`,
        `${first!.toLowerCase()}.${suffix.toLowerCase()}@example.com`,
      ];
    },
    asks: {
      1: (key) => [`Which department does ${key} work in?`],
      2: (key) => [`What is the extension of ${key}?`, `What's ${key}'s extension number?`],
      3: (key) => [`Which room is ${key} in?`],
      4: (key) => [`What is the email address of ${key}?`],
    },
    lacks: (key) => `What is the salary of ${key}?`,
  },
  {
    name: 'staff-zh',
    title: '通讯录',
    language: 'zh',
    head: ['工号', '姓名', '部门', '分机', '座位'],
    keys: [0, 1],
    row: (random, at) => [
      padded(20000 + at * 11, 5),
      `${random.pick(surnames)}${random.pick(given)}${random.pick(given)}`,
      random.pick(offices),
      digits(random, 4),
      `${1 + random.int(20)}层${random.pick(['A', 'B', 'C', 'D'])}区${padded(random.int(99), 2)}号`,
    ],
    asks: {
      2: (key, by) => (by === 1 ? [`${key}在哪个部门？`] : [`工号${key}是哪个部门的？`]),
      3: (key, by) => (by === 1 ? [`${key}的分机号是多少？`, `${key}的分机`] : [`工号${key}的分机是多少？`]),
      4: (key, by) => (by === 1 ? [`${key}坐在哪里？`, `${key}的座位在哪`] : []),
    },
    lacks: (key) => `${key}的生日是哪天？`,
  },
  {
    name: 'codes-en',
    title: 'Error codes',
    language: 'en',
    head: ['Code', 'Meaning', 'What to do', 'Severity'],
    keys: [0],
    row: (random, at) => [
      `E${1000 + at * 3}`,
      `The ${random.pick(materials)} ${random.pick(things)} module reported a ${random.pick(['timeout', 'voltage drop', 'checksum mismatch', 'missing part', 'blocked valve', 'sensor fault'])} while the ${random.pick(adjectives)} line was ${random.pick(['starting', 'stopping', 'running at full load', 'in maintenance', 'being cleaned'])}, and the controller ${random.pick(['retried twice', 'stopped the belt', 'switched to the reserve', 'closed the inlet', 'raised an alarm'])} before giving up after ${2 + random.int(90)} seconds.`,
      `${random.pick(['Restart', 'Inspect', 'Replace', 'Clean', 'Recalibrate'])} the ${random.pick(things)} and ${random.pick(['call the service desk', 'note it in the log', 'inform the shift leader', 'wait for ten minutes', 'update the firmware'])}; see page ${random.int(400)} of the manual. ${random.chance(0.3) ? `If the fault comes back within ${1 + random.int(12)} hours, take the ${random.pick(materials)} cover off and look for ${random.pick(['dust', 'loose screws', 'oil', 'water'])}.` : ''}`.trim(),
      random.pick(['low', 'medium', 'high', 'critical']),
    ],
    asks: {
      1: (key) => [`What does error code ${key} mean?`, `What does ${key} mean?`],
      2: (key) => [`What should I do about ${key}?`, `What to do when error ${key} appears?`],
      3: (key) => [`What is the severity of ${key}?`],
    },
    lacks: (key) => `Who discovered ${key}?`,
  },
  {
    name: 'routes-zh',
    title: '配送时效表',
    language: 'zh',
    head: ['线路编号', '始发城市', '目的城市', '首重运费', '时效', '截单时间'],
    keys: [0],
    row: (random, at) => [
      `${padded(at * 17 + 30011, 6)}`,
      random.pick('上海 北京 广州 深圳 成都 武汉 杭州 西安'.split(' ')),
      random.pick('拉萨 乌鲁木齐 哈尔滨 昆明 三亚 兰州 银川 贵阳'.split(' ')),
      `${6 + random.int(60)} 元`,
      `${1 + random.int(9)}–${10 + random.int(5)} 天`,
      `${10 + random.int(12)}:${padded(random.int(60), 2)}`,
    ],
    asks: {
      3: (key) => [`线路${key}的首重运费是多少？`],
      4: (key) => [`线路编号${key}的时效是多久？`, `${key}几天能到`],
      5: (key) => [`线路${key}几点截单？`],
      2: (key) => [`线路${key}的目的城市是哪里？`],
    },
    lacks: (key) => `线路${key}的司机叫什么名字？`,
  },
];

/**
 * Tables of every kind with this number of rows and random cells, and questions for existing and missing rows
 * and columns.
 */
export function generateTables(seed: number, size: number, questions: number): GeneratedTable[] {
  return shapes.map((shape, index) => generate(shape, createRandom(seed * 100 + index), size, questions));
}

function generate(shape: Shape, random: Random, size: number, questions: number): GeneratedTable {
  const { name, title, language, head, keys } = shape;
  const seen = new Set<string>();
  const fresh = (at: number): string[] => {
    for (;;) {
      const row = shape.row(random, at);
      const names = keys.map((key) => row[key]!);
      // A name may occur twice in a long list, so that questions with it have two answers.
      if (size > 2000 || names.every((one) => !seen.has(one))) {
        for (const one of names) seen.add(one);
        return row;
      }
    }
  };
  const rows = Array.from({ length: size }, (_, at) => fresh(at));
  const isUnique = (key: number, value: string) => rows.filter((row) => row[key] === value).length === 1;
  const lookUps: LookUp[] = [];
  while (lookUps.length < questions) {
    const row = random.pick(rows);
    const key = random.pick(keys);
    if (!isUnique(key, row[key]!)) continue;
    const column = Number(random.pick(Object.keys(shape.asks)));
    const ways = shape.asks[column]!(row[key]!, key);
    if (ways.length === 0) continue;
    lookUps.push({ text: random.pick(ways), language, answer: { row, cell: row[column]! }, lacks: null });
  }
  for (let at = 0; at < questions / 3; at += 1) {
    const missing = shape.row(random, size + 50 + at);
    const key = random.pick(keys);
    if (rows.some((row) => row[key] === missing[key])) continue;
    const column = Number(random.pick(Object.keys(shape.asks)));
    const ways = shape.asks[column]!(missing[key]!, key);
    if (ways.length > 0) lookUps.push({ text: random.pick(ways), language, answer: null, lacks: 'row' });
    const text = shape.lacks(random.pick(rows)[key]!);
    lookUps.push({ text, language, answer: null, lacks: 'column' });
  }
  return { name: `${name}-${size}`, title: `${title} ${size}`, language, head, rows, lookUps };
}
