import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { callInWorker } from '../../testing/call-in-worker.ts';
import { scrubError } from './pending-counts.ts';

test.each([
  ["Cannot read properties of undefined (reading 'map')"],
  ['TypeError: x is not a function (remoteEntry.dddd4444.js:1:2345)'],
  [
    'Failed to fetch dynamically imported module: https://desk.example:8443/chatbot/releases/mfe-chat/1.4.0/remoteEntry.dddd4444.js',
  ],
  ['Module "./screen" does not exist in container mfe_chat'],
  ['HttpFailure: 422 invalid_field'],
  ['加载超时'],
])('keeps parts of code: %s', (text) => {
  expect(scrubError(text)).toBe(text);
});

test.each([
  ['GET https://desk.example/api/search?q=salary#top failed', 'GET https://desk.example/api/search failed'],
  ['GET /api/records?contact=li failed', 'GET /api/records failed'],
  ['https://li:secret@desk.example/x', 'https://desk.example/x'],
  ['/api/files/665f1c2e9b1e8a0012345678 is gone', '/api/files/… is gone'],
  ['https://d.example/u/%E6%9D%8E/2024001', 'https://d.example/u/…/…'],
  ['no contact 13812345678 or +86 138 1234 5678', 'no contact … or …'],
  ['mail to li.hua@example.com failed', 'mail to … failed'],
  [
    'Unexpected token \'我\', "我的身份证号是"... is not valid JSON',
    'Unexpected token \'…\', "…"... is not valid JSON',
  ],
  ['token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0 refused', 'token …\u002e… refused'],
  ['cannot show blob:https://d.example/0f8fad5b-d9cb-469f-a165-70867728950e', 'cannot show blob:…'],
  [
    'at https://d.example/releases/x/1.0.0/entry.c#.js failed',
    'at https://d.example/releases/x/1.0.0/entry.c….js failed',
  ],
  ['two\nlines\u0000  and more', 'two lines and more'],
])('removes possibly personal data: %s', (text, kept) => {
  expect(scrubError(text)).toBe(kept);
});

test('keeps at most 500 well-formed characters of any input', () => {
  fc.assert(
    fc.property(fc.uint16Array({ maxLength: 3000 }), (codes) => {
      const kept = scrubError(String.fromCharCode(...codes));
      expect(kept.length).toBeLessThanOrEqual(500);
      expect(kept.isWellFormed()).toBe(true);
    }),
  );
});

test.each(['a-', '“', '«', '"', "'", '/', 'a@', '1', '1 ', ':', 'a:', 'x://', '(', '@a.', 'token=', '/#'])(
  'takes linear time for any input, since anyone can send reports: %j repeated',
  async (evil) => {
    const scrubbed = await callInWorker(
      new URL('./pending-counts.ts', import.meta.url),
      'scrubError',
      evil.repeat(8000),
    );
    expect(String(scrubbed).length).toBeLessThanOrEqual(500);
  },
);

test.each([
  ['地址 192.168.1.77 拒绝连接', '地址 … 拒绝连接'],
  ['peer 2001:db8::1:2 and ::1 closed', 'peer … and … closed'],
  ['token=abcdef; password: hunter2', 'token=…; password: …'],
  ['Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ6In0.abc_DEF-123 refused', 'Bearer … refused'],
  ['user «王五» said ‘秘密’, 「机密」 and 『内情』', 'user «…» said ‘…’, 「…」 and 『…』'],
])('of %s keeps %s', (said, kept) => {
  expect(scrubError(said)).toBe(kept);
});

test.each([
  'Error at https://127.0.0.1:8443/chatbot/releases/mfe-chat/1.2.0/chat.f1373f22.js:1:7286',
  'TypeError at chat.f1373f22.js:12:34 in Foo::bar, a::before',
  'SyntaxError: Unexpected token } in JSON at position 12',
  'mfe-chat@1.2.0 needs react ^19.0.0, got 18.3.1',
])('leaves %s unchanged', (said) => {
  expect(scrubError(said)).toBe(said);
});
