import { afterAll, describe, expect, test } from '@jest/globals';
import { openTestExtractor } from '../../../testing/extract-bytes.ts';
import { packRelated, wordFile } from '../../../testing/office-files.ts';
import { listNumber } from './list-numbers.ts';

const extractor = await openTestExtractor();
afterAll(() => extractor.close());

const run = (text: string, properties = '') =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
const p = (content: string, properties = '') => `<w:p><w:pPr>${properties}</w:pPr>${content}</w:p>`;
const char = (type: string, content = '') =>
  `<w:r><w:fldChar w:fldCharType="${type}">${content}</w:fldChar></w:r>`;
const code = (text: string) => `<w:r><w:instrText>${text}</w:instrText></w:r>`;
const math = (content: string) => `<m:oMath>${content}</m:oMath>`;
const mr = (text: string) => `<m:r><m:t>${text}</m:t></m:r>`;
const box = (text: string) =>
  `<w:drawing><wps:txbx><w:txbxContent>${p(run(text))}</w:txbxContent></wps:txbx></w:drawing>`;
const cell = (content: string, properties = '') => `<w:tc><w:tcPr>${properties}</w:tcPr>${content}</w:tc>`;
const row = (...cells: string[]) => `<w:tr>${cells.join('')}</w:tr>`;
const tbl = (...rows: string[]) => `<w:tbl>${rows.join('')}</w:tbl>`;
const textOf = async (body: string, others = {}) => (await extractor.read(wordFile(body, others))).text;

describe('the text that Word shows of', () => {
  test.each<[string, string, string]>([
    [
      'a simple field',
      p(`${run('编号 ')}<w:fldSimple w:instr="DOCPROPERTY No">${run('HT-01')}</w:fldSimple>。`),
      '编号 HT-01',
    ],
    [
      'a field with code and result',
      p(char('begin') + code('REF x') + char('separate') + run('第 7.2 条') + char('end') + run(' 适用')),
      '第 7.2 条 适用',
    ],
    [
      'a field within the code of another',
      p(
        char('begin') +
          code('IF ') +
          char('begin') +
          code('MERGEFIELD a') +
          char('separate') +
          run('no') +
          char('end') +
          char('separate') +
          run('yes') +
          char('end'),
      ),
      'yes',
    ],
    ['a field without an end', p(char('begin') + code('PAGE')) + p(run('still here')), 'still here'],
    [
      'a form: box and list',
      p(
        char('begin', '<w:ffData><w:checkBox><w:default w:val="0"/><w:checked/></w:checkBox></w:ffData>') +
          code('FORMCHECKBOX') +
          char('end') +
          run('同意 ') +
          char(
            'begin',
            '<w:ffData><w:ddList><w:result w:val="1"/><w:listEntry w:val="甲"/><w:listEntry w:val="乙"/></w:ddList></w:ffData>',
          ) +
          code('FORMDROPDOWN') +
          char('end'),
      ),
      '☒同意 乙',
    ],
    [
      'a character within a circle',
      p(run('见') + char('begin') + code('EQ \\o\\ac(○,3)') + char('end') + run('号')),
      '见3号',
    ],
    ['a button of text', p(char('begin') + code('MACROBUTTON Go click here') + char('end')), 'click here'],
    [
      'characters with their reading',
      p(
        `${run('由')}<w:r><w:ruby><w:rt>${run('luò')}</w:rt><w:rubyBase>${run('漯')}</w:rubyBase></w:ruby></w:r>${run('河')}`,
      ),
      '由漯河',
    ],
    [
      'text of another direction',
      p(`${run('电话 ')}<w:dir w:val="ltr">${run('0571')}</w:dir><w:bdo w:val="ltr">${run('-5550')}</w:bdo>`),
      '电话 0571-5550',
    ],
    [
      'formulas',
      p(
        run('按 ') +
          math(
            `${mr('f=')}<m:f><m:num>${mr('a+b')}</m:num><m:den>${mr('2')}</m:den></m:f><m:sSup><m:e>${mr('x')}</m:e><m:sup>${mr('2')}</m:sup></m:sSup><m:rad><m:deg/><m:e>${mr('y')}</m:e></m:rad>`,
          ) +
          run(' 计算'),
      ) +
        `<m:oMathPara>${math(`<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>${mr('i=1')}</m:sub><m:sup>${mr('n')}</m:sup><m:e><m:d><m:e>${mr('k')}</m:e></m:d></m:e></m:nary>`)}</m:oMathPara>`,
      '按 f=(a+b)/2x^2√(y) 计算\n\n∑_(i=1)^n (k)',
    ],
    [
      'a text box without an alternative',
      p(
        `${run('公告')}<w:r><mc:AlternateContent><mc:Choice>${box('门卫室 8001')}</mc:Choice></mc:AlternateContent></w:r>`,
      ),
      '公告\n\n门卫室 8001',
    ],
    [
      'a text box with an alternative, once',
      p(
        `<w:r><mc:AlternateContent><mc:Choice>${box('8001')}</mc:Choice><mc:Fallback><w:pict><v:textbox><w:txbxContent>${p(run('8001'))}</w:txbxContent></v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r>`,
      ),
      '8001',
    ],
    [
      'no hidden drawing',
      p(
        `${run('公告')}<w:r><w:drawing><wp:anchor><wp:docPr id="1" hidden="1"/><wps:txbx><w:txbxContent>${p(run('密'))}</w:txbxContent></wps:txbx></wp:anchor></w:drawing></w:r><w:r><w:pict><v:shape style="width:9pt;visibility:hidden"><v:textbox><w:txbxContent>${p(run('密'))}</w:txbxContent></v:textbox></v:shape></w:pict></w:r>`,
      ),
      '公告',
    ],
    [
      'raised numbers',
      p(run('约 10') + run('6', '<w:vertAlign w:val="superscript"/>') + run(' 米')),
      '约 10^6 米',
    ],
    ['lettering', p('<w:r><w:pict><v:shape><v:textpath string="样本"/></v:shape></w:pict></w:r>'), '样本'],
    [
      'tabs, breaks, hyphens and symbols',
      p(
        `<w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:noBreakHyphen/><w:t>d</w:t><w:softHyphen/><w:sym w:font="Wingdings" w:char="F0FC"/></w:r>${run('\uf0b7', '<w:rFonts w:ascii="Symbol"/>')}`,
      ),
      'a b\nc-d✓•',
    ],
    [
      'changes: insertions, and no deletions',
      p(
        `${run('价格 ')}<w:del><w:r><w:delText>90</w:delText></w:r></w:del><w:moveFrom>${run('x')}</w:moveFrom><w:ins>${run('80')}</w:ins>`,
      ) +
        p(run('前半'), '<w:rPr><w:del/></w:rPr>') +
        p(run('后半')),
      '价格 80\n\n前半后半',
    ],
    [
      'nothing that is hidden, directly or by a style',
      p(run('看得见') + run('秘密', '<w:vanish/>') + run('密', '<w:rStyle w:val="h"/>')) +
        p(run('暗'), '<w:pStyle w:val="hp"/>') +
        p(run('明', '<w:vanish w:val="0"/>'), '<w:pStyle w:val="hp"/>'),
      '看得见\n\n明',
    ],
    [
      'content controls and tagged text',
      `<w:sdt><w:sdtPr><w:alias w:val="no"/></w:sdtPr><w:sdtContent>${p(`<w:smartTag>${run('甲')}</w:smartTag><w:sdt><w:sdtContent>${run('☒')}</w:sdtContent></w:sdt><w:hyperlink>${run('链接')}</w:hyperlink>`)}</w:sdtContent></w:sdt>`,
      '甲☒链接',
    ],
    [
      'a table within a table',
      tbl(
        row(cell(p(run('设备'))), cell(p(run('参数')))),
        row(
          cell(p(run('音箱'))),
          cell(
            tbl(
              row(cell(p(run('功率'))), cell(p(run('40 瓦')))),
              row(cell(p(run('重'))), cell(p(run('2 公斤')))),
            ) + p(''),
          ),
        ),
      ),
      '| 设备 | 参数 |\n| --- | --- |\n| 音箱 | 功率 40 瓦; 重 2 公斤 |',
    ],
    [
      'merged cells',
      tbl(
        row(
          cell(p(run('部门')), '<w:vMerge w:val="restart"/>'),
          cell(p(run('2026')), '<w:gridSpan w:val="2"/>'),
        ),
        row(cell(p(''), '<w:vMerge/>'), cell(p(run('上'))), cell(p(run('下')))),
      ),
      '| 部门 | 2026 | 2026 |\n| --- | --- | --- |\n| 部门 | 上 | 下 |',
    ],
    [
      'a table that only arranges the page',
      tbl(row(cell(p(run('左'), '<w:outlineLvl w:val="1"/>') + p(run('文'))), cell(p(run('右'))))),
      '## 左\n\n文\n\n右',
    ],
  ])('%s', async (_, body, text) => {
    const styles = `<w:styles xmlns:w="w"><w:style w:styleId="h"><w:rPr><w:vanish/></w:rPr></w:style><w:style w:styleId="base"><w:rPr><w:vanish/></w:rPr></w:style><w:style w:styleId="hp"><w:basedOn w:val="base"/></w:style></w:styles>`;

    expect(await textOf(body, { styles })).toBe(text);
  });
});

/** Levels of list 1, each [numFmt, lvlText, further properties]. */
const numbering = (levels: readonly (readonly [string, string, string?])[], nums = '') =>
  `<w:numbering xmlns:w="w"><w:abstractNum w:abstractNumId="0">${levels
    .map(
      ([format, text, more = ''], at) =>
        `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${format}"/>${more}<w:lvlText w:val="${text}"/></w:lvl>`,
    )
    .join('')}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>${nums}</w:numbering>`;
const item = (text: string, level = 0, id = 1) =>
  p(run(text), `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${id}"/></w:numPr>`);

describe('automatic numbers', () => {
  test('of articles and their parts are those that Word shows', async () => {
    const levels = numbering([
      ['chineseCountingThousand', '第%1条'],
      ['chineseCountingThousand', '（%2）', '<w:suff w:val="nothing"/>'],
      ['decimal', '%3.'],
    ]);

    expect(
      await textOf(
        item('登记') +
          item('访客') +
          item('时间', 1) +
          item('地点', 1) +
          item('门口', 2) +
          item('赔偿') +
          item('金额', 1),
        { numbering: levels },
      ),
    ).toBe(
      '第一条 登记\n\n第二条 访客\n\n（一）时间\n（二）地点\n  1. 门口\n\n### 第三条 赔偿\n\n（一）金额',
    );
  });

  test('of several levels, in legal form, with starts, restarts and continued lists', async () => {
    const levels = numbering(
      [
        ['upperRoman', '%1.'],
        ['decimal', '%1.%2', '<w:isLgl/>'],
        ['lowerLetter', '%3)', '<w:lvlRestart w:val="1"/>'],
      ],
      '<w:num w:numId="2"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="3"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="9"/></w:lvlOverride></w:num>',
    );
    const text = await textOf(
      item('a') +
        item('b', 1) +
        item('c', 2) +
        item('d', 1) +
        item('e', 2) +
        item('f', 0, 2) +
        item('g', 0, 3),
      { numbering: levels },
    );

    expect(text.split(/\s*\n\s*/)).toEqual(['## I. a', '1.1 b', 'a) c', '1.2 d', 'b) e', 'II. f', 'IX. g']);
  });

  test('begin with 0 without a start; a skipped level has its first number, which the next one follows', async () => {
    const levels = numbering([
      ['decimal', '%1'],
      ['lowerLetter', '%1.%2'],
      ['upperRoman', '%1.%2.%3'],
    ]).replace('<w:start w:val="1"/>', '');
    const text = await textOf(item('一') + item('二') + item('三', 2) + item('四', 1) + item('五', 2), {
      numbering: levels,
    });

    expect(text.split(/\s*\n\s*/)).toEqual(['0 一', '1 二', '1.a.I 三', '1.b 四', '1.b.I 五']);
  });

  test('come from styles too, also of headings; bullets stay lists', async () => {
    const levels = numbering([['chineseCounting', '第%1章', '<w:pStyle w:val="1"/>']]).replace(
      '</w:numbering>',
      '<w:abstractNum w:abstractNumId="5"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/><w:lvlText w:val="•"/></w:lvl></w:abstractNum><w:num w:numId="5"><w:abstractNumId w:val="5"/></w:num></w:numbering>',
    );
    const styles =
      '<w:styles xmlns:w="w"><w:style w:styleId="1"><w:name w:val="heading 1"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style></w:styles>';
    const head = (text: string) => p(run(text), '<w:pStyle w:val="1"/>');

    expect(
      await textOf(head('总则') + item('甲', 0, 5) + item('乙', 0, 5) + head('附则') + p(run('无号')), {
        numbering: levels,
        styles,
      }),
    ).toBe('# 第一章 总则\n\n- 甲\n- 乙\n\n# 第二章 附则\n\n无号');
  });

  test.each<[string, number, string]>([
    ['chineseCounting', 21, '二十一'],
    ['chineseCountingThousand', 105, '一百零五'],
    ['chineseCountingThousand', 1010, '一千零一十'],
    ['chineseLegalSimplified', 12, '壹拾贰'],
    ['ideographDigital', 20, '二〇'],
    ['ideographTraditional', 3, '丙'],
    ['ideographZodiac', 12, '亥'],
    ['japaneseCounting', 111, '百十一'],
    ['decimalEnclosedCircle', 7, '⑦'],
    ['decimalEnclosedCircle', 21, '21'],
    ['decimalFullWidth', 10, '１０'],
    ['decimalZero', 4, '04'],
    ['lowerLetter', 28, 'bb'],
    ['lowerRoman', 14, 'xiv'],
    ['ordinal', 22, '22nd'],
    ['ordinal', 0, '0th'],
    ['lowerLetter', 0, '0'],
    ['ordinalText', 21, 'Twenty-first'],
    ['thaiNumbers', 8, '8'],
    ['constructor', 8, '8'],
  ])('in the format %s: %p is %s', (format, number, shown) => {
    expect(listNumber(number, format)).toBe(shown);
  });
});

test('headers, footers and comments follow the text, each header once and without page numbers', async () => {
  const body = `${p(`${run('正文是这样的')}<w:r><w:footnoteReference w:id="2"/></w:r>`)}<w:sectPr><w:headerReference w:type="default" r:id="header"/><w:footerReference w:type="default" r:id="footer"/></w:sectPr>`;
  const page = `<w:fldSimple w:instr=" PAGE ">${run('7')}</w:fldSimple>`;

  expect(
    await textOf(body, {
      footnotes: `<w:footnotes xmlns:w="w"><w:footnote w:id="2">${p(run('见附件'))}</w:footnote></w:footnotes>`,
      header: `<w:hdr xmlns:w="w">${p(run('员工手册 2026 版'))}</w:hdr>`,
      footer: `<w:ftr xmlns:w="w">${p(run('第 ') + page + run(' 页'))}</w:ftr>`,
      comments: `<w:comments xmlns:w="w"><w:comment w:author="王敏">${p(run('请核对'))}</w:comment></w:comments>`,
    }),
  ).toBe('正文是这样的[1]\n\n1. 见附件\n\n页眉：员工手册 2026 版\n\n批注（王敏）：请核对');
});

test('a section has the headers of the section before it', async () => {
  const body = `${p(
    run('第一节'),
    '<w:sectPr><w:headerReference w:type="first" r:id="header"/><w:footerReference w:type="even" r:id="footer"/></w:sectPr>',
  )}${p(run('第二节'))}<w:sectPr><w:titlePg/></w:sectPr>`;

  expect(
    await textOf(body, {
      header: `<w:hdr xmlns:w="w">${p(run('第二节首页'))}</w:hdr>`,
      footer: `<w:ftr xmlns:w="w">${p(run('偶数页'))}</w:ftr>`,
    }),
  ).toBe('第一节\n\n第二节\n\n页眉：第二节首页');
});

describe('parts within a document', () => {
  const chart =
    '<c:chartSpace xmlns:c="c" xmlns:a="a"><c:chart><c:title><a:p><a:r><a:t>退货</a:t></a:r></a:p></c:title><c:plotArea><c:ser><c:tx><c:strRef><c:strCache><c:pt idx="0"><c:v>数量</c:v></c:pt></c:strCache></c:strRef></c:tx><c:cat><c:strCache><c:pt idx="0"><c:v>三月</c:v></c:pt></c:strCache></c:cat><c:val><c:numCache><c:formatCode>0.0%</c:formatCode><c:pt idx="0"><c:v>0.45</c:v></c:pt></c:numCache></c:val></c:ser></c:plotArea></c:chart></c:chartSpace>';

  test('content controls that are filled when it is opened have their values from its XML', async () => {
    const control = (path: string, content: string, properties = '') =>
      `<w:sdt><w:sdtPr>${properties}<w:dataBinding w:xpath="${path}" w:storeItemID="{A1}"/></w:sdtPr><w:sdtContent>${content}</w:sdtContent></w:sdt>`;
    const body = [
      p(`${run('编号：')}${control('/ns0:order[1]/ns0:no[1]', run(''))}`),
      control('/order/line[2]/@item', p('')),
      control('/order/no', p(run('单击此处输入')), '<w:showingPlcHdr/>'),
      control('/order/no', p(run('已填写'))),
      tbl(row(cell(p(run('金额'))), control('/order/sum', cell(p(''))))),
      control('/order/picture', p(''), '<w:picture/>'),
      control('/order/none', p(run('请选择')), '<w:showingPlcHdr/>'),
      control(
        '/order/way',
        p(run('选择一项')),
        '<w:showingPlcHdr/><w:dropDownList><w:listItem w:displayText="快递" w:value="1"/><w:listItem w:displayText="自提" w:value="2"/></w:dropDownList>',
      ),
      control('/order/way', p(run('')), '<w:comboBox><w:listItem w:value="2"/></w:comboBox>'),
      control('/order/day', p(run('')), '<w:date/>'),
      control('/order/gift', p(run('')), '<w14:checkbox/>'),
      control('/order/no', p(run('')), '<w14:checkbox/>'),
    ];
    const main = 'word/document.xml';
    const bytes = packRelated(
      {
        [main]: `<w:document><w:body>${body.join('')}</w:body></w:document>`,
        'customXml/item1.xml':
          '<o:order xmlns:o="o"><o:no>HT-7</o:no><o:line item="绳"/><o:line item="钩"/><o:sum>80 元</o:sum><o:picture>iVBOR</o:picture><o:way>2</o:way><o:day>2026-03-01T00:00:00</o:day><o:gift>true</o:gift></o:order>',
        'customXml/props1.xml': '<ds:datastoreItem xmlns:ds="ds" ds:itemID="{a1}"/>',
      },
      {
        '': [['r1', 'officeDocument', main]],
        [main]: [['x', 'customXml', '../customXml/item1.xml']],
        'customXml/item1.xml': [['p', 'customXmlProps', 'props1.xml']],
      },
    );

    expect((await extractor.read(bytes)).text).toBe(
      '编号：HT-7\n\n钩\n\nHT-7\n\n已填写\n\n| 金额 | 80 元 |\n| --- | --- |\n\n请选择\n\n自提\n\n2\n\n2026-03-01\n\n☒\n\n☐',
    );
  });

  test('labels of a chart that come from cells are a column of its table', async () => {
    const points = (text: string) => `<c:ptCount val="1"/><c:pt idx="0"><c:v>${text}</c:v></c:pt>`;
    const labelled = `<c:chartSpace><c:chart><c:plotArea><c:ser><c:tx><c:v>数量</c:v></c:tx><c:cat><c:strCache>${points('三月')}</c:strCache></c:cat><c:val><c:numCache>${points('45')}</c:numCache></c:val><c:extLst><c:ext><c15:datalabelsRange><c15:f>表!$C$2</c15:f><c15:dlblRangeCache>${points('新仓库启用')}</c15:dlblRangeCache></c15:datalabelsRange></c:ext></c:extLst></c:ser></c:plotArea></c:chart></c:chartSpace>`;

    expect(
      await textOf(p('<w:r><w:drawing><c:chart r:id="chart"/></w:drawing></w:r>'), { chart: labelled }),
    ).toBe('|  | 数量 | 数量 |\n| --- | --- | --- |\n| 三月 | 45 | 新仓库启用 |');
  });

  test('charts are tables of their figures', async () => {
    const { text, notices } = await extractor.read(
      wordFile(p(`${run('见图')}<w:r><w:drawing><c:chart r:id="chart"/></w:drawing></w:r>`), { chart }),
    );

    expect(text).toBe('见图\n\n退货\n\n|  | 数量 |\n| --- | --- |\n| 三月 | 45.0% |');
    expect(notices).toEqual([]);
  });

  test('embedded pages and documents are in their place, to a limited depth', async () => {
    const nested = wordFile(p(run('里面的文档')));
    const page = '<html><body><h2>退货</h2><p>15 天内</p></body></html>';
    const body = `${p(run('封面'))}<w:altChunk r:id="aFChunk"/>${p(run('结尾'))}`;

    expect(await textOf(body, { aFChunk: page })).toBe('封面\n\n## 退货\n\n15 天内\n\n结尾');
    expect(await textOf(body, { aFChunk: '这里只有文字，没有格式。' })).toBe(
      '封面\n\n这里只有文字，没有格式。\n\n结尾',
    );
    const archive = `MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary="b"\r\n\r\n--b\r\nContent-Type: text/html; charset="gb2312"\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n<html><meta charset=3D"gb2312"><p>=CD=CB=BB=F5</p></html>\r\n--b--\r\n`;
    expect(await textOf(body, { aFChunk: archive })).toBe('封面\n\n退货\n\n结尾');
    expect(await textOf(body, { aFChunk: nested })).toBe('封面\n\n里面的文档\n\n结尾');
    const level = (depth: number): Buffer =>
      wordFile(`${p(run(`第 ${depth} 层`))}<w:altChunk r:id="aFChunk"/>`, {
        aFChunk: depth === 6 ? '末页' : level(depth + 1),
      });
    expect((await extractor.read(level(0))).text).toBe('第 0 层\n\n第 1 层\n\n第 2 层\n\n第 3 层');
  });

  test('what cannot be read is reported', async () => {
    const extent = '<wp:extent cx="5400000" cy="5400000"/><a:graphic><a:pic/></a:graphic>';
    const { text, notices } = await extractor.read(
      wordFile(
        `${p(run('封面'))}<w:altChunk r:id="aFChunk"/>${p(`<w:r><w:drawing><wp:inline>${extent}</wp:inline></w:drawing><w:object><o:OLEObject ProgID="Equation.3"/></w:object><w:object><o:OLEObject ProgID="Package"/></w:object></w:r>`)}`,
        { aFChunk: '{\\rtf1 words}', chart: '<c:chartSpace xmlns:c="c"><c:chart/></c:chartSpace>' },
      ),
    );

    expect(text).toBe('封面');
    expect(notices.map(({ code }) => code).sort()).toEqual([
      'attachment_not_read',
      'chart_not_read',
      'embedded_not_read',
      'formula_not_read',
      'picture_not_read',
    ]);
  });

  test('without any text is refused as that, not as empty', async () => {
    await expect(extractor.read(wordFile(p('')))).rejects.toMatchObject({ key: 'unreadable_no_words' });
  });
});

describe('a document is found by its relationships', () => {
  const main = (text: string) => `<w:document xmlns:w="w"><w:body>${p(run(text))}</w:body></w:document>`;
  const types = (part: string, type: string) =>
    `<Types><Override PartName="/${part}" ContentType="application/${type}.main+xml"/></Types>`;
  const word = 'vnd.openxmlformats-officedocument.wordprocessingml.document';

  test.each<[string, string, string, string]>([
    ['another name', 'word/document2.xml', 'word/document2.xml', word],
    ['another folder', 'content/body.xml', '/content/body.xml', word],
    ['another case', 'Word/Document2.xml', 'word/document2.XML', word],
    ['backslashes in the zip', 'word\\document2.xml', 'word\\document2.xml', word],
    ['an absolute name in the zip', '/word/document2.xml', 'word/document2.xml', word],
    ['a name with spaces', 'word/my%20text.xml', 'word/my text.xml', word],
    ['macros', 'word/d.xml', 'word/d.xml', 'vnd.ms-word.document.macroEnabled'],
    ['a template', 'word/d.xml', 'word/d.xml', 'vnd.openxmlformats-officedocument.wordprocessingml.template'],
  ])('with %s', async (_, name, target, type) => {
    const part = name.replaceAll('\\', '/').replace(/^\//, '');
    const bytes = packRelated(
      { [name]: main('住宿 420 元'), '[Content_Types].xml': types(decodeURIComponent(part), type) },
      { '': [['r1', 'officeDocument', target]] },
    );

    expect(await extractor.read(bytes)).toMatchObject({ kind: 'docx', text: '住宿 420 元' });
  });

  test('in UTF-16, and with bytes after its end', async () => {
    const xml = `\ufeff<?xml version="1.0" encoding="UTF-16"?>${main('住宿')}`;
    const bytes = packRelated(
      { 'word/document.xml': Buffer.from(xml, 'utf16le') },
      { '': [['r1', 'officeDocument', 'word/document.xml']] },
    );

    expect((await extractor.read(Buffer.concat([bytes, Buffer.from('\r\n')]))).text).toBe('住宿');
  });

  test('never outside of the file', async () => {
    const bytes = packRelated(
      { 'word/document.xml': main('words') },
      {
        '': [['r1', 'officeDocument', 'word/document.xml']],
        'word/document.xml': [['r2', 'styles', '../../../../etc/passwd']],
      },
    );

    expect((await extractor.read(bytes)).text).toBe('words');
  });
});

test('numbered paragraphs without a style of headings are headings', async () => {
  const text = await textOf(
    ['一、租金', '每月四千八百元，按季度支付。', '第二条 押金', '押金为一个月租金。']
      .map((one) => p(run(one)))
      .join(''),
  );
  expect(text).toBe('## 一、租金\n\n每月四千八百元，按季度支付。\n\n### 第二条 押金\n\n押金为一个月租金。');
});
