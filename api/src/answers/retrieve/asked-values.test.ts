import { expect, test } from '@jest/globals';
import { lacksPhoneOrMoney, lacksValue } from './asked-values.ts';

const times = [
  'The boiler is serviced on Mondays.',
  'Deliveries arrive on Tuesdays and Fridays.',
  'It closes at half past three.',
  'The bell rings at a quarter to nine.',
  "Doors open at seven o'clock.",
  'Bins are emptied fortnightly.',
  'Wages are paid on the ninth.',
  'The lift is checked annually.',
  'Open Mon–Fri, 9–17.',
  'The fair is held in May.',
  'Seats are assigned at the start of the voyage.',
  'The pump runs overnight.',
  'You get the key within two hours.',
  'It reopens after Easter.',
  'Payment is due on the 15th.',
  'Lights go out at 10.30 pm.',
  'The pass is valid until you move.',
  '锅炉每逢双周检修一次。',
  '付款后3天发货。',
  '五天到账。',
  '月底结算。',
  '元旦停业。',
  '上午九点半开门。',
  '每季度盘点。',
  '周末不营业。',
  '次年换发新证。',
  '签约后即时生效。',
  '七个工作日退回。',
  '一个半小时后出结果。',
  '暑假开班。',
];
const notTimes = [
  'The boiler is in the cellar.',
  'You may bring a dog.',
  'The lift carries three people.',
  'Keep the sun off the plants.',
  'Bins are behind the shed.',
  'Ask the caretaker for the key.',
  '锅炉在地下室。',
  '请联系物业领取钥匙。',
  '电梯限载三人。',
  '可以携带宠物。',
];

test.each(times)('"%s" says a time', (place) => {
  expect([lacksValue('When is it?', place), lacksValue('什么时候？', place)]).toEqual([false, false]);
});

test.each(notTimes)('"%s" says none', (place) => {
  expect([lacksValue('When is it?', place), lacksValue('什么时候？', place)]).toEqual([true, true]);
});

test.each([
  ['How many people fit in?', 'It seats thirty-five.', false],
  ['How many people fit in?', 'It seats a dozen.', false],
  ['How often is it checked?', 'It is checked monthly.', false],
  ['How long is the warranty?', 'The warranty lasts a year.', false],
  ['How much does it cost?', 'Entry is free.', false],
  ['How many bags may I take?', 'Bags go on the rack.', true],
  ['How long is the warranty?', 'The warranty covers the motor.', true],
  ['可以带几位客人？', '可带两位。', false],
  ['一次能借几本书？', '每次限借十本。', false],
  ['手续费多少？', '不收手续费。', false],
  ['手续费多少？', '手续费由买方承担。', true],
  ['保修多久？', '保修一年。', false],
  ['保修多久？', '保修包括电机。', true],
  ['前台电话是多少？', '前台电话：0571-8899 1020。', false],
  ['前台电话是多少？', '前台在一楼。', true],
  ['门卫电话？', '找门卫拨分机 8006。', false],
  ['What is the phone number of the porter?', 'The porter: ext. 412.', false],
  ['What is the phone number of the porter?', 'The porter lives in flat 412.', true],
  ['Which number do I call at night?', 'The porter is there at night.', true],
  ['porter phone', 'The porter lives in flat 412.', true],
  ['How much is the garage?', 'The garage has 14 places and closes at 6.30 pm.', true],
  ['How much is the garage?', 'The garage costs 12 a day.', false],
  ['How much is the garage?', 'Garage | 14 | 9.50', false],
  ['How much is the garage?', 'The garage is free.', false],
  ['How much is refunded?', 'Bags of up to 20 kg are refunded.', false],
  ['车位多少钱？', '车位有 14 个，22:00 关门。', true],
  ['车位多少钱？', '车位每月 300 元。', false],
  ['这台泵有多重？', '这台泵每台 14600 元。', true],
  ['这台泵有多重？', '这台泵 85 公斤。', false],
  ['这台泵有多重？', '| 泵 | 85 |\n| 型号 | 重量 |', false],
  ['How heavy is the pump?', 'The pump costs 85.', true],
  ['How heavy is the pump?', 'The pump weighs 85 lbs.', false],
  ['车站离这里有多远？', '车站 6:30 开门。', true],
  ['车站离这里有多远？', '步行到车站 10 分钟。', false],
  ['How far is the station?', 'The station opens at 6.', true],
  ['How far is the station?', 'The station is 400 m away.', false],
  ['What percentage do I pay?', 'You pay 40 a month.', true],
  ['What percentage do I pay?', 'You pay half.', false],
  ['补办要多久？', '补办请拨打 0571-8820 3315。', true],
  ['补办要多久？', '补办需要三个工作日。', false],
  ['When is the desk open?', 'The desk: +49 8382 555 120.', true],
  ['When was it in force?', 'In force 2024-2025.', false],
  ['How long is the cable?', 'The cable measures 3 m.', false],
  ['How long does it take?', 'It costs 14.', true],
  ['How deep is the pool?', 'The pool opens at 9.', true],
  ['How deep is the pool?', 'The pool is 1.8 m at its end.', false],
  ['许可证在哪里办？', '许可证每张 50 元。', true],
  ['许可证在哪里办？', '许可证由服务台办理。', false],
  ['押金多少？', '押金为房租的 20%。', false],
])('%s — %s', (question, place, lacks) => {
  expect(lacksValue(question, place)).toBe(lacks);
});

test('a text without a currency names no price, whatever numbers it contains', () => {
  expect(lacksPhoneOrMoney('How much is a copy?', 'A file of up to 256 MB, 5,000 at most.')).toBe(true);
  expect(lacksPhoneOrMoney('How much is a copy?', 'A copy is £2.')).toBe(false);
  expect(lacksPhoneOrMoney('What is the phone number?', 'Open the Account page.')).toBe(true);
  expect(lacksPhoneOrMoney('How do I copy a file?', 'Press Copy.')).toBe(false);
});
