import { describe, expect, test } from '@jest/globals';
import iconv from 'iconv-lite';
import { decodeText } from './decode-text.ts';

const simplified =
  '购买后十四天内可以申请退款，退款会在三个工作日内到账。\n超过十四天的订单请联系客服，由人工处理。\n客服的工作时间是每天九点到十八点，节假日另行通知。\n';
const traditional =
  '購買後十四天內可以申請退款，退款會在三個工作日內到賬。\n超過十四天的訂單請聯絡客服，由人工處理。\n客服的工作時間是每天九點到十八點，節假日另行通知。\n';
const japanese =
  'ご購入後十四日以内に返金を申請できます。返金は三営業日以内に振り込まれます。\nそのあとはお客様窓口までご連絡ください。\n';
const german =
  'Die Rückerstattung erfolgt innerhalb von drei Tagen. Größere Beträge können länger dauern. Übrigens: schön.\n';

describe('text in an encoding', () => {
  test.each([
    ['UTF-8', 'utf8', simplified],
    ['GB18030', 'gb18030', simplified],
    ['GBK', 'gbk', simplified],
    ['Big5', 'big5', traditional],
    ['Shift-JIS', 'shift_jis', japanese],
    ['EUC-JP', 'euc-jp', japanese],
    ['Windows-1252', 'windows-1252', german],
    ['UTF-16LE without a mark', 'utf-16le', simplified],
    ['UTF-16BE without a mark', 'utf-16be', german],
  ])('%s is decoded', (_, encoding, text) => {
    expect(decodeText(iconv.encode(text, encoding), true)).toBe(text);
  });

  test.each(['utf-8', 'utf-16le', 'utf-16be'])(
    '%s with a byte order mark is decoded without it',
    (encoding) => {
      expect(decodeText(iconv.encode(simplified, encoding, { addBOM: true }), true)).toBe(simplified);
    },
  );

  test.each([
    ['GB18030', 'gb18030', '退款'],
    ['GB18030', 'gb18030', '姓名：陈怡君 电话：13800138000\r\n'],
    ['GB18030', 'gb18030', '城市,运费,时效\n北京,12元,2天\n'],
    ['Big5', 'big5', '退款說明'],
    ['Big5', 'big5', '品名,規格,單價\n銅墊片,M6,0.3\n'],
    ['Windows-1252', 'windows-1252', 'Größe 20 °C, schön über Mittag\n'],
    ['Shift-JIS', 'shift_jis', 'ご購入後の返金について\n'],
    ['Shift-JIS', 'shift_jis', '名前,年齢,住所\n田中花子,28,横浜\n'],
    ['Windows-1252', 'windows-1252', '“It’s Anna’s”, it’s said – “not ours”.\n'],
  ])('%s with few characters is decoded (%s: %j)', (_, encoding, text) => {
    expect(decodeText(iconv.encode(text, encoding), true)).toBe(text);
  });

  test('UTF-8 that is cut within a character is decoded up to there', () => {
    expect(decodeText(Buffer.from('退款').subarray(0, 5), true)).toBe('退');
  });
});

describe('binary content', () => {
  test.each([
    ['zeros', Buffer.alloc(64)],
    ['bytes of every value', Buffer.from(Array.from({ length: 1024 }, (_, index) => (index * 37) % 256))],
    ['a mark alone with garbage', Buffer.from('fffe00d800d800d800d800d8', 'hex')],
  ])('%s', (_, bytes) => {
    expect(decodeText(bytes, true)).toBeNull();
  });
});
