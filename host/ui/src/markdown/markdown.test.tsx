import { beforeAll, expect, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { highlighting } from './block.tsx';
import { safeAddress } from './inline.tsx';
import { createBlockReader, lex, Markdown } from './markdown.tsx';

const citation = (n: number, key: string) =>
  n <= 2 ? <button type="button" key={key}>{`cite ${n}`}</button> : null;
const pictureLabel = (label: string) => `图片：${label}`;

function show(text: string, more: Partial<Parameters<typeof Markdown>[0]> = {}) {
  const view = render(
    <Markdown
      text={text}
      firstLevel={2}
      citation={citation}
      pictureLabel={pictureLabel}
      tableLabel="表格"
      {...more}
    />,
  );
  return view.container.firstElementChild as HTMLElement;
}

beforeAll(async () => void (await highlighting.load()));

test('headings form an outline without gaps, whatever levels the text skips', () => {
  show('## a\n\n#### b\n\n### c\n\n# d\n\n> ###### quoted');

  const outline = screen
    .getAllByRole('heading')
    .map(({ tagName, textContent }) => `${tagName} ${textContent}`);
  expect(outline).toEqual(['H2 a', 'H3 b', 'H3 c', 'H2 d', 'H2 quoted']);
});

test('headings of the same level in the text have the same level on the page', () => {
  show('## a\n\n### b\n\n### c\n\n## d');
  const levels = screen.getAllByRole('heading').map(({ tagName }) => tagName);
  expect(levels).toEqual(['H2', 'H3', 'H3', 'H2']);
});

test('blocks that are nested too deeply are shown as they were written', () => {
  const prose = show(`${'> '.repeat(100)}deep`);
  expect(prose.querySelectorAll('blockquote').length).toBeLessThan(50);
  expect(prose).toHaveTextContent(/> > deep$/);
});

test('renders headings, lists, tables, quotes, code and rules', () => {
  const prose = show(
    '# 标题\n\n正文 **重点** ~~旧~~ `代码`\n\n1. 一\n2. 二\n   - 内层\n\n> 引文\n\n---\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n```js\nconst a = "<b>";\n```',
  );
  expect(screen.getByRole('heading', { level: 2, name: '标题' })).toBeInTheDocument();
  expect(prose.querySelectorAll('ol > li')).toHaveLength(2);
  expect(prose.querySelector('ol ul > li')).toHaveTextContent('内层');
  expect(screen.getByRole('table')).toHaveTextContent('ab12');
  expect(prose.querySelector('blockquote.quoted')).toHaveTextContent('引文');
  expect(prose.querySelector('pre code')).toHaveTextContent('const a = "<b>";');
  expect(prose.querySelector('hr')).not.toBeNull();
});

test.each([
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  'a <b onclick="x()">b</b> c',
  '<iframe src="https://evil.example"></iframe>',
  '<svg><animate onbegin=alert(1)></svg>',
  '<style>*{display:none}</style>',
])('shows raw HTML as text: %s', (html) => {
  const prose = show(html);
  expect(prose).toHaveTextContent(html);
  expect(prose.querySelector('script, img, iframe, svg:not(.icon), style, b')).toBeNull();
});

test.each([
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\tscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  'file:///etc/passwd',
  '//evil.example/x',
  '/api/files/1',
])('makes no link of %j', (address) => {
  expect(safeAddress(address)).toBeUndefined();
});

test('does not link an address that hides its scheme in character references', () => {
  show('[x](&#106;avascript:alert(1)) [y](javascript&colon;alert(1)) [z](<javascript:alert(1)>)');
  expect(screen.queryByRole('link')).toBeNull();
});

test('links open in a new tab and send no referrer', () => {
  show('[文档](https://example.com/a?b=1&amp;c=2)');
  const link = screen.getByRole('link', { name: '文档' });
  expect(link).toHaveAttribute('href', 'https://example.com/a?b=1&c=2');
  expect(link).toHaveAttribute('target', '_blank');
  expect(link).toHaveAttribute('rel', 'noopener noreferrer nofollow');
});

test('shows a picture in a link as text of that link', () => {
  const prose = show('[![流水](https://a.example/a.png)](https://b.example/)');
  expect(prose.querySelectorAll('a')).toHaveLength(1);
  expect(screen.getByRole('link', { name: '图片：流水 (b.example)' })).toHaveAttribute(
    'href',
    'https://b.example/',
  );
});

test('shows a picture as a link without loading it', () => {
  const prose = show('![流水](https://example.com/a.png) ![x](data:image/png;base64,AAAA)');
  expect(prose.querySelector('img')).toBeNull();
  expect(screen.getByRole('link', { name: '图片：流水 (example.com)' })).toHaveAttribute(
    'href',
    'https://example.com/a.png',
  );
  expect(screen.getAllByRole('link')).toHaveLength(1);
});

test('a link that replaces a picture shows its target', () => {
  show('![bank.example](https://evil.example:8443/a.png) ![call](tel:+8613800138000)');
  const [picture, call] = screen.getAllByRole('link');
  expect(picture).toHaveTextContent('图片：bank.example (evil.example:8443)');
  expect(call).toHaveTextContent('图片：call (+8613800138000)');
});

test.each([
  ['[https://bank.example](https://evil.example/phish)', 'https://bank.example (evil.example)'],
  ['[bank.example](https://bank.example.evil.example/)', 'bank.example (bank.example.evil.example)'],
  ['[Your **bank.example** account](https://evil.example)', 'Your bank.example account (evil.example)'],
  ['[ｂａｎｋ．ｅｘａｍｐｌｅ](https://evil.example)', 'ｂａｎｋ．ｅｘａｍｐｌｅ (evil.example)'],
  ['[bank&#46;example](https://evil.example)', 'bank.example (evil.example)'],
  [
    '[https://bank.example@evil.example](https://evil.example)',
    'https://bank.example@evil.example (evil.example)',
  ],
  ['[192.0.2.1](https://evil.example)', '192.0.2.1 (evil.example)'],
  ['[help@bank.example](mailto:evil@evil.example)', 'help@bank.example (evil@evil.example)'],
  ['[help@bank.example](https://evil.example)', 'help@bank.example (evil.example)'],
  ['[95588 0000](tel:+19001234567)', '95588 0000 (+19001234567)'],
  ['[https://bank.example/a](https://bank.example/a)', 'https://bank.example/a'],
  ['[bank.example](https://bank.example/login?next=1)', 'bank.example'],
  ['[the form](https://bank.example/form)', 'the form'],
  ['[help@bank.example](mailto:help@bank.example)', 'help@bank.example'],
])('a link whose text looks like another address shows its target: %s', (source, shown) => {
  show(source);
  expect(screen.getByRole('link')).toHaveTextContent(shown, { normalizeWhitespace: false });
  expect(screen.getByRole('link').textContent).toBe(shown);
});

test('every block has the direction of its own text, also for its parts', () => {
  const prose = show(
    '# שלום\n\nمرحبا\n\n- אחת\n\n  - שתיים\n\n> ציטוט\n\n| א |\n|---|\n| ב |\n\nabc\n\n```\ncode\n```',
  );
  const blocks = [...prose.querySelectorAll<HTMLElement>('[dir]')].map(
    ({ tagName, dir }) => `${tagName} ${dir}`,
  );
  expect(blocks).toEqual([
    'H2 auto',
    'P auto',
    'UL auto',
    'BLOCKQUOTE auto',
    'TABLE auto',
    'P auto',
    'PRE ltr',
  ]);
});

test('a bare address ends at the first Chinese character', () => {
  const prose = show('见 https://example.com/x，更多');
  expect(screen.getByRole('link')).toHaveAttribute('href', 'https://example.com/x');
  expect(prose).toHaveTextContent('见 https://example.com/x，更多');
});

test('reads strong marks next to Chinese punctuation', () => {
  const prose = show('已**“受理”**了，**注意：**请核对');
  expect([...prose.querySelectorAll('strong')].map((strong) => strong.textContent)).toEqual([
    '“受理”',
    '注意：',
  ]);
});

test('joins citations to the preceding word, and leaves other brackets unchanged', () => {
  const prose = show('到账 [1]，说明[2]；数组 a[9] 和 `b[1]`');
  expect(screen.getAllByRole('button').map((button) => button.textContent)).toEqual(['cite 1', 'cite 2']);
  expect(prose.textContent).toBe('到账\u2060cite 1，说明\u2060cite 2；数组 a[9] 和 b[1]');
});

test('decodes character references into text', () => {
  expect(show('a &amp; b &lt;i&gt; &#9731; &#x1F600; &unknown;')).toHaveTextContent(
    'a & b <i> ☃ 😀 &unknown;',
  );
});

test.each(['> ', '[', '**a ', '- '])('supports extremely deep nesting of %j', (mark) => {
  expect(show(`${mark.repeat(5_000)}end`)).toHaveTextContent('end');
});

test('a list begins at the number that was written', () => {
  expect(show('7. 七\n8. 八').querySelector('ol')).toHaveAttribute('start', '7');
});

test('keeps line breaks of the text', () => {
  expect(show('第一行\n第二行').querySelectorAll('br')).toHaveLength(1);
});

test('headings begin at the given level', () => {
  show('# a\n\n## b', { firstLevel: 3 });
  expect(screen.getAllByRole('heading').map(({ tagName }) => tagName)).toEqual(['H3', 'H4']);
});

test('a code block has a copy button only where copying is offered', async () => {
  const copied: string[] = [];
  const copyCode = { label: '复制代码', copy: (code: string) => void copied.push(code) };
  expect(show('```js\nlet a;\n```').querySelector('button')).toBeNull();
  show('```js\nlet a;\n```', { copyCode });
  screen.getByRole('button', { name: '复制代码' }).click();
  expect(copied).toEqual(['let a;']);
});

test('highlights a closed code block without changing its text', () => {
  const code = 'const a = "<b>"; // 说明\n\nreturn `a`;';
  const prose = show(`\`\`\`ts\n${code}\n\`\`\``);
  expect(prose.querySelector('code')?.textContent).toBe(code);
  const coloured = [...prose.querySelectorAll('code span')];
  expect(coloured.find(({ className }) => className.includes('keyword'))).toHaveTextContent('const');
  const strings = coloured.filter(({ className }) => className.includes('string'));
  expect(strings.map(({ textContent }) => textContent).join('')).toContain('"<b>"');
});

test.each([
  ['is still arriving', '```js\nlet a;'],
  ['has only half of its closing fence', '````js\nlet a;\n```'],
  ['names no language', '```\nlet a;\n```'],
  ['names an unknown language', '```klingon\nlet a;\n```'],
  ['is very long', `\`\`\`js\n${'let a;\n'.repeat(3_000)}\`\`\``],
])('a code block stays plain if it %s', (_, text) => {
  const code = show(text).querySelector('code');
  expect(code).toHaveTextContent('let a;');
  expect(code?.querySelector('span')).toBeNull();
});

test('words of a search stay marked in code', () => {
  const showText = (text: string) => (text.includes('a') ? [<mark key="a">{text}</mark>] : text);
  expect(show('```js\nlet a;\n```', { showText }).querySelector('code > mark')).not.toBeNull();
  expect(show('```js\nlet b;\n```', { showText }).querySelector('code > span')).not.toBeNull();
});

test('plain text, code and bare addresses can be highlighted', () => {
  const showText = (text: string) => <mark>{text}</mark>;
  const prose = show('a `b` https://c.example', { showText });
  expect([...prose.querySelectorAll('mark')].map((mark) => mark.textContent)).toContain('b');
  expect(prose.querySelector('code mark')).toHaveTextContent('b');
  expect(prose.querySelector('a mark')).toHaveTextContent('https://c.example');
});

test('parses a growing text like the whole text, and finished blocks only once', () => {
  const text =
    '第一段\n\n- 一\n- 二\n\n  续\n\n```js\nlet a;\n\nlet b;\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n标题\n===\n\n末段\r\n结束';
  const reader = createBlockReader();
  const firsts = new Set<unknown>();
  for (let length = 1; length <= text.length; length += 1) {
    const grown = reader.read(text.slice(0, length));
    expect(strip(grown)).toEqual(
      strip(lex(text.slice(0, length).replaceAll('\r\n', '\n').replaceAll('\r', '\n'))),
    );
    if (length > 10) firsts.add(grown[0]);
  }
  expect(firsts.size).toBe(1);
});

test('a reader starts again when it receives another text', () => {
  const reader = createBlockReader();
  reader.read('一\n\n二\n\n三');
  const other = '甲\n\n乙\n\n丙\n\n丁';
  expect(strip(reader.read(other))).toEqual(strip(lex(other)));
});

const TEXTS = [
  '第一行\n第二行\n\n第二段  \n第三行',
  '# 一\n\n## 二\n\n#### 三\n\n> ##### 引\n>\n> ###### 文',
  '**重点** *强调* ~~旧~~ `代码 **a**`',
  '已**“受理”**了，**注意：**请核对',
  '见 https://example.com/x，更多；www.example.com/路径，完',
  'lin@example.com [邮件](mailto:a@example.com) [电话](tel:+8613800138000) [本地](/api/files/1)',
  '[文档](https://example.com/a?b=1&amp;c=2 "标题")',
  '[x](&#106;avascript:alert(1)) [y](javascript&colon;alert(1)) [z](<javascript:alert(1)>)',
  'a &amp; b &lt;i&gt; &hellip; &copy; &#9731; &#x1F600; &#0; &unknown;',
  '![流水](https://example.com/a.png) ![](https://example.com/b.png) ![x](data:image/png;base64,AAAA)',
  '[![流水](https://a.example/a.png)](https://b.example/)',
  '[说明 ![图](a.png) ![](https://a.example/b.png)](https://b.example/) ![x](tel:+8610010)',
  '<b onclick="x()">b</b> <br> <br/> c\n\n<script>alert(1)</script>\n\n<div>\n\n**x**\n\n</div>',
  '到账 [1]，说明[2]；数组 a[9] 和 `b[1]`，**[1]**',
  '1. 一\n2. 二\n   - 内层\n     - 更深\n\n3. 三\n\n   第二段',
  '7. 七\n8. 八',
  '- [x] 完成\n- [ ] 待办',
  '| a | b | c |\n|:--|:-:|--:|\n| 1 | **2** | `3` |\n| \\| | |',
  '```js\nconst a = "<b>";\n\n```\n\n    缩进\n\n~~~\n[1] &amp; **x**\n~~~',
  '> 引文\n> > 内层\n\n---\n\n[r]: https://example.com\n\n[引用][r]\\*不是强调\\*',
  'Windows\r\n换行\r\n\r\n结束\t制表',
  `${'> '.repeat(60)}深`,
  `${'- '.repeat(60)}深`,
  `${'**a _b '.repeat(40)}`,
  `${'> '.repeat(5_000)}end`,
  `${'['.repeat(5_000)}x`,
];

test.each(TEXTS.map((text) => [text.slice(0, 40), text]))(
  'renders a streamed answer like the stored one: %j',
  (_, text) => {
    expect(show(text, { isGrowing: true }).innerHTML).toBe(show(text).innerHTML);
  },
);

function strip(tokens: readonly unknown[]): unknown {
  return JSON.parse(JSON.stringify(tokens.filter((token) => (token as { type: string }).type !== 'space')));
}
