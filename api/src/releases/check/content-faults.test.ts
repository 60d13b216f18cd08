import { expect, test } from '@jest/globals';
import { firstStateFaults } from './content-faults.ts';

const BASE = '/chatbot/releases/mfe-chat/1.4.0/';
const faultsOf = (html: string) => firstStateFaults(html, BASE).map((text) => text('en'));

test('accepts forms, links, pictures of the release and icons of the page', () => {
  const html = `<main id="main"><!--$--><form method="post" action="/chatbot/ask"><textarea name="text" placeholder="a < b"></textarea>
    <button type="submit" aria-label='"send"'>Send</button></form><!--/$--><a href="/chatbot/index?c=1#end">Ask</a>
    <img src="{{base}}bot.svg" alt=""/><svg><use href="#i-chat"></use></svg>1 &lt; 2 > 0</main>`;
  expect(faultsOf(html)).toEqual([]);
});

test.each([
  ['<script src="/a.js"></script>', 'script'],
  ['<SCRIPT>alert(1)</SCRIPT>', 'SCRIPT'],
  ['<svg><style>*{}</style></svg>', 'style'],
  ['<iframe></iframe>', 'iframe'],
  ['<meta http-equiv="refresh" content="0">', 'meta'],
  ['<button title="a>b" onclick="x()">', 'onclick'],
  ['<img/onerror=x()>', 'onerror'],
  ['<p ONCLICK = x()>', 'ONCLICK'],
  ['<p style="color: red">', 'style'],
  ['<a href="https://elsewhere.example/">', 'elsewhere.example'],
  ['<a href="//elsewhere.example/">', 'elsewhere.example'],
  ['<a href="/\\elsewhere.example/">', 'elsewhere.example'],
  ['<a href=" javascript:alert(1)">', 'javascript'],
  ['<form action=http://elsewhere.example/>', 'elsewhere.example'],
  ['<button formaction="https://elsewhere.example/">', 'elsewhere.example'],
  ['<img srcset="https://elsewhere.example/a.png 2x">', 'elsewhere.example'],
  ['<p id="main"></p><p id="main"></p>', 'main'],
  ['<p title="open', 'HTML'],
  ['<!-- open', 'HTML'],
])('refuses %s', (html, named) => {
  const faults = faultsOf(html);
  expect(faults).toHaveLength(1);
  expect(faults[0]).toContain(named);
});
