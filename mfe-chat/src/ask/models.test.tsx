import { expect, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import type { AnswerReason } from 'api/contract/answers';
import type { ModelList } from 'api/contract/models';
import { failure } from 'host/stand-ins';
import { articles, field, openChat, settle } from '../testing/open-chat.tsx';
import { DONE, RECORD, record } from '../testing/samples.ts';

const LIST: ModelList = {
  models: [
    { name: 'large', vision: true, isAvailable: true },
    { name: 'small', vision: false, isAvailable: false },
  ],
  default: 'large',
};
const DONE_BY_MODEL = { ...DONE, source: 'model' as const };
const select = () => screen.findByRole('combobox', { name: '回答方式' });

test('sends the chosen model, stores it in this browser and shows which models are unavailable', async () => {
  const kept = new Map<string, string>();
  const answers = { 'GET /api/models': () => LIST };
  const { user, calls, streams, unmount } = await openChat({ kept, answers });
  const options = within(await select()).getAllByRole('option');
  expect(options.map((option) => option.textContent)).toEqual(['large', '暂不可用：small', '只用知识库']);
  expect(await select()).toHaveValue('large');
  await user.type(field(), '一{Enter}');
  expect(calls.find(({ url }) => url === '/api/chat')!.body).not.toHaveProperty('model');
  streams[0]!.send('record', RECORD, 0);
  await settle();

  await user.selectOptions(await select(), '只用知识库');
  unmount();
  const second = await openChat({ kept, answers });
  expect(await select()).toHaveValue('none');
  await second.user.type(field(), '二{Enter}');
  expect(second.calls.findLast(({ url }) => url === '/api/chat')!.body).toMatchObject({ model: 'none' });
});

test('offers no choice without models and does not send a previously chosen one', async () => {
  const kept = new Map<string, string>();
  const first = await openChat({ kept, answers: { 'GET /api/models': () => LIST } });
  await first.user.selectOptions(await select(), 'small');
  first.unmount();

  const none: ModelList = { models: [], default: 'none' };
  const { user, calls } = await openChat({ kept, answers: { 'GET /api/models': () => none } });
  await waitFor(() => expect(calls.some(({ url }) => url === '/api/models')).toBe(true));
  await settle();
  expect(screen.queryByRole('combobox')).toBeNull();
  await user.type(field(), '一{Enter}');
  expect(calls.findLast(({ url }) => url === '/api/chat')!.body).not.toHaveProperty('model');
});

test('shows the reasoning collapsed, complete after a reconnection, and the name of the model at the end', async () => {
  const { user, streams } = await openChat();
  await user.type(field(), '退款{Enter}');
  streams[0]!.send('record', RECORD, 0);
  streams[0]!.send('reasoning', { text: '先看' }, 0);
  streams[0]!.send('reasoning', { text: '政策' }, 0);
  await settle();
  expect(articles()[1]).toHaveTextContent('正在思考…');
  expect(articles()[1]).not.toHaveTextContent('先看政策');
  await user.click(screen.getByText('正在思考…'));
  await settle();
  expect(articles()[1]).toHaveTextContent('先看政策');

  streams[0]!.cut();
  await waitFor(() => expect(streams).toHaveLength(2));
  streams[1]!.send('reasoning', { text: '先看政策，再答' }, 0);
  streams[1]!.send('delta', { text: '三天' }, 2);
  streams[1]!.send('done', { ...DONE_BY_MODEL, response: '三天', model: 'large' }, 2);
  await settle();
  expect(articles()[1]).toHaveTextContent('先看政策，再答');
  expect(articles()[1]!.textContent!.match(/先看/g)).toHaveLength(1);
  expect(screen.getByText('思考过程')).toBeInTheDocument();
  expect(articles()[1]).toHaveTextContent('由 large 回答');
});

test('reads model and reasoning from a record; HTML in the reasoning is shown as text', async () => {
  const { user } = await openChat({
    path: '/index?c=c1',
    records: [record('r1', { source: 'model', model: 'large', reasoning: '<img src=x onerror=alert(1)>' })],
  });
  expect(articles()[1]).toHaveTextContent('由 large 回答');
  await user.click(screen.getByText('思考过程'));
  expect(articles()[1]).toHaveTextContent('<img src=x onerror=alert(1)>');
  expect(document.querySelector('img[src=x]')).toBeNull();
});

test('shows that an editor has answered since and asks the question again', async () => {
  const { user, calls } = await openChat({
    path: '/index?c=c1',
    records: [
      record('r1', {
        question: '能退吗？',
        source: 'none',
        answeredSince: { pairId: 'p', answer: '**可以**退', at: '2026-11-20T08:00:00.000Z' },
      }),
    ],
  });
  const since = screen.getByRole('region', { name: '现在有答案了' });
  expect(since).toHaveTextContent('可以退');
  expect(since.querySelector('time')).toHaveAttribute('dateTime', '2026-11-20T08:00:00.000Z');
  await user.click(within(since).getByRole('button', { name: '重新提问' }));
  expect(calls.findLast(({ url }) => url === '/api/chat')!.body).toMatchObject({ text: '能退吗？' });
});

test('explains an answer: searched words, found passages, missing words, and the position in the document', async () => {
  const reason: AnswerReason = {
    verdict: 'answered',
    rewritten: '怎样退款，几天到账',
    context: ['怎样退款'],
    pair: { question: '退款多久到？', similarity: 0.62 },
    terms: [
      { word: '退款', weight: 1, passages: 12 },
      { word: '到账', weight: 3, passages: 0 },
    ],
    total: 1385,
    candidates: 40,
    ranked: [
      {
        href: '/api/passages/p1',
        title: '退款政策',
        place: '第 3 节',
        score: 9,
        coverage: 0.75,
        missing: ['到账'],
        taken: true,
      },
    ],
    incomplete: [
      { title: '退款政策', notices: [{ code: 'text_not_decoded', at: { page: 3 }, until: 7, count: 120 }] },
    ],
  };
  let isThere = false;
  const { user } = await openChat({
    path: '/index?c=c1',
    records: [record('r1')],
    answers: {
      'GET /api/records/r1/why': () => {
        if (!isThere) throw failure(503, 'unavailable', '服务器正忙');
        return reason;
      },
      'GET /api/passages/p1': () => ({
        documentId: 'd1',
        title: '退款政策',
        text: '原文在这里',
        start: 0,
        end: 5,
        place: '',
      }),
      'GET /api/documents/d1': () => ({ title: '退款政策', name: '', type: 'text', hasFile: false }),
      'GET /api/documents/d1/text': () => ({ start: 0, end: 5, text: '原文在这里', length: 5, places: [] }),
    },
  });
  await user.click(screen.getByRole('button', { name: '为什么' }));
  const dialog = screen.getByRole('dialog', { name: '为什么这样回答', hidden: true });
  await settle();
  expect(within(dialog).getByRole('alert', { hidden: true })).toHaveTextContent('服务器正忙');
  isThere = true;
  await user.click(within(dialog).getByRole('button', { name: '再试一次', hidden: true }));
  await settle();
  expect(dialog).toHaveTextContent('在资料里找到了足够的依据');
  expect(dialog).toHaveTextContent('结合您之前的问题一起查找怎样退款');
  expect(dialog).not.toHaveTextContent('怎样退款，几天到账');
  expect(dialog).toHaveTextContent('没有读全的资料退款政策第 3–7 页：有 120 个字符无法解码');
  const words = within(dialog)
    .getAllByRole('listitem', { hidden: true })
    .map((item) => item.textContent);
  expect(words.slice(2, 5)).toEqual(['怎样退款', '到账没有一段提到', '退款12 段提到，共 1,385 段']);
  expect(dialog).toHaveTextContent('相似度 62%');
  expect(dialog).toHaveTextContent('已采用覆盖问题的 75%没有提到：到账');
  await user.click(within(dialog).getByRole('button', { name: /退款政策/, hidden: true }));
  await settle();
  expect(screen.getByText('原文在这里')).toBeInTheDocument();
});
