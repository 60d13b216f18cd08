import { expect, test } from '@jest/globals';
import { render } from '@testing-library/react';
import type { ComponentProps } from 'react';
import { createStandInServices } from '../../host/src/testing/stand-in-services.ts';
import { Markdown } from '../../mfe-chat/src/markdown/markdown.tsx';
import { ChatContext } from '../../mfe-chat/src/shared/chat-context.ts';
import { AnswerText } from '../../mfe-records/src/markdown/answer-text.tsx';
import { CiteMark } from '../../mfe-records/src/markdown/cite-mark.tsx';
import { recordWords } from '../../mfe-records/src/words.ts';

const { services } = createStandInServices();
const t = services.i18n.translator(recordWords);

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
  'the chat and the records show the same: %j',
  (_, text) => {
    expect(inRecords(text)).toBe(inChat(text));
  },
);

function inChat(text: string): string {
  const chat = { services, t, desk: undefined, language: 'zh', layer: null };
  const view = render(
    <ChatContext value={chat as unknown as ComponentProps<typeof ChatContext>['value']}>
      <Markdown
        text={text}
        isGrowing={false}
        citation={(n, key) =>
          n <= 2 ? <CiteMark key={key} n={n} label={t('cite', { n })} onCite={() => undefined} /> : null
        }
        pictureLabel={(label) => t('pictureLink', { text: label })}
        tableLabel={t('table')}
      />
    </ChatContext>,
  );
  return shown(view.container.firstElementChild, 2);
}

function inRecords(text: string): string {
  return shown(render(<AnswerText markdown={text} t={t} citations={2} />).container.firstElementChild, 3);
}

/** The elements without what may differ: style names, buttons beside code, and the level at which headings begin. */
function shown(prose: Element | null, firstLevel: number): string {
  const copy = prose!.cloneNode(true) as Element;
  for (const button of copy.querySelectorAll('button')) button.remove();
  for (const caption of copy.querySelectorAll('figcaption')) if (!caption.textContent) caption.remove();
  for (const element of copy.querySelectorAll('*')) element.removeAttribute('class');
  return copy.innerHTML.replace(/(<\/?h)(\d)/g, (_, tag, level) => `${tag}${Number(level) - firstLevel + 1}`);
}
