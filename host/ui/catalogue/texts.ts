export interface Texts {
  title: string;
  language: string;
  theme: string;
  system: string;
  light: string;
  dark: string;
  icons: string;
  overlays: string;
  dialog: string;
  menu: string;
  popover: string;
  link: string;
  open: string;
  remove: string;
  close: string;
  cancel: string;
  save: string;
  text: string;
  combobox: string;
  person: string;
  people: string[];
  calendar: string;
  charts: string;
  columns: string;
  stacked: string;
  shares: string;
  sparkline: string;
  states: string;
  problems: [string, string];
  day: string;
  count: string;
  showTable: string;
  showChart: string;
  noData: string;
  noDataYet: string;
  loading: string;
  failed: string;
  passage: string;
  picture: string;
  table: string;
  copy: string;
  markdown: string;
}

export const ZH: Texts = {
  title: '组件目录',
  language: '语言',
  theme: '主题',
  system: '跟随系统',
  light: '浅色',
  dark: '深色',
  icons: '图标',
  overlays: '浮层',
  dialog: '对话框',
  menu: '菜单',
  popover: '弹出卡片',
  link: '统计',
  open: '打开',
  remove: '删除',
  close: '关闭',
  cancel: '取消',
  save: '保存',
  text: '立即生效，且不能撤销。',
  combobox: '组合框',
  person: '联系人',
  people: ['林晓', '王芳', '张伟'],
  calendar: '日历',
  charts: '图表',
  columns: '柱形图',
  stacked: '堆叠柱形图',
  shares: '占比',
  sparkline: '迷你趋势图',
  states: '正在加载与加载失败',
  problems: ['加载失败', '脚本错误'],
  day: '日期',
  count: '次数',
  showTable: '查看表格',
  showChart: '查看图表',
  noData: '没有数据的图表',
  noDataYet: '还没有数据',
  loading: '正在加载',
  failed: '图表暂时打不开，请查看表格',
  passage: '原文',
  picture: '图片：',
  table: '表格',
  copy: '复制代码',
  markdown:
    '## 退款\n\n**“受理”**后 *三个工作日* 内到账 [1]，见 https://example.com/x，其余 ~~五天~~。\n\n1. 一\n2. 二\n   - 内层\n\n> 引文\n\n| 方式 | 天数 |\n|---|--:|\n| 银行卡 | 3 |\n\n```js\nconst days = 3;\n```',
};

export const EN: Texts = {
  title: 'Component catalogue',
  language: 'Language',
  theme: 'Theme',
  system: 'System',
  light: 'Light',
  dark: 'Dark',
  icons: 'Icons',
  overlays: 'Overlays',
  dialog: 'Dialog',
  menu: 'Menu',
  popover: 'Popover',
  link: 'Statistics',
  open: 'Open',
  remove: 'Delete',
  close: 'Close',
  cancel: 'Cancel',
  save: 'Save',
  text: "Takes effect immediately and can't be undone.",
  combobox: 'Combobox',
  person: 'Contact',
  people: ['Anna', 'Ben', 'Chloe'],
  calendar: 'Calendar',
  charts: 'Charts',
  columns: 'Columns',
  stacked: 'Stacked columns',
  shares: 'Shares',
  sparkline: 'Sparkline',
  states: 'Loading and failed',
  problems: ['Failures', 'Errors'],
  day: 'Day',
  count: 'Count',
  showTable: 'Show table',
  showChart: 'Show chart',
  noData: 'A chart without data',
  noDataYet: 'No data yet',
  loading: 'Loading',
  failed: "The chart can't be shown right now. Please see the table.",
  passage: 'Passage',
  picture: 'Picture: ',
  table: 'Table',
  copy: 'Copy code',
  markdown:
    '## Refunds\n\nArrive within *three working days* after **acceptance** [1], see https://example.com/x, not ~~five~~.\n\n1. One\n2. Two\n   - nested\n\n> A quote\n\n| Method | Days |\n|---|--:|\n| Bank card | 3 |\n\n```js\nconst days = 3;\n```',
};
