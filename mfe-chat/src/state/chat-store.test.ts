import { expect, jest, test } from '@jest/globals';
import { type ChatMessage, questionAndPlaceholder } from './chat-message.ts';
import { createChatStore } from './chat-store.ts';

const pair = (id: string): [ChatMessage, ChatMessage] =>
  questionAndPlaceholder(`question ${id}`, id, new Date(0), null);

test('appends a message to the end', () => {
  const store = createChatStore();
  const [question, placeholder] = pair('1');

  store.append(question);
  store.append(placeholder);

  expect(store.chatList).toEqual([question, placeholder]);
  expect(store.chatList[0]).toMatchObject({ text: 'question 1', inversion: true, isImage: false, url: '' });
});

test('replaces the text of the last message only', () => {
  const store = createChatStore();
  for (const message of pair('1')) store.append(message);

  store.replaceLastText('an');
  store.replaceLastText('answer');

  expect(store.chatList.map(({ text }) => text)).toEqual(['question 1', 'answer']);
});

test('ignores a text replacement when the list is empty', () => {
  const store = createChatStore();
  store.replaceLastText('nothing');
  expect(store.chatList).toEqual([]);
});

test('replaces the whole list of image addresses', () => {
  const store = createChatStore();
  store.replaceImgUrls(['/api/files/1', '/api/files/2']);
  store.replaceImgUrls(['/api/files/3']);
  expect(store.imgUrls).toEqual(['/api/files/3']);
});

test('notifies only the listeners of the message that changed', () => {
  const store = createChatStore();
  for (const id of ['1', '2']) for (const message of pair(id)) store.append(message);
  const keysBefore = store.keys();
  const onList = jest.fn();
  const onOther = jest.fn();
  const onLast = jest.fn();
  store.subscribe(onList);
  store.subscribeMessage('a:1', onOther);
  store.subscribeMessage('a:2', onLast);

  for (let count = 1; count <= 50; count += 1) store.replaceLastText('x'.repeat(count));

  expect(onLast).toHaveBeenCalledTimes(50);
  expect(onOther).not.toHaveBeenCalled();
  expect(onList).not.toHaveBeenCalled();
  expect(store.keys()).toBe(keysBefore);
});

test('skips older messages that are already in the list', () => {
  const store = createChatStore();
  store.reset(pair('2'));
  store.prepend([...pair('1'), ...pair('2')]);
  expect(store.keys()).toEqual(['q:1', 'a:1', 'q:2', 'a:2']);
});

test('removes a listener that unsubscribed', () => {
  const store = createChatStore();
  store.reset(pair('1'));
  const listener = jest.fn();
  store.subscribeMessage('a:1', listener)();
  store.patch('a:1', { text: 'changed' });
  expect(listener).not.toHaveBeenCalled();
});

test('keeps the identity of groups whose messages did not change', () => {
  const store = createChatStore();
  store.reset(pair('2'));
  const [first] = store.groups();
  store.prepend(pair('1'));
  expect(store.groups()[1]).toBe(first);
  for (let count = 0; count < 100; count += 1) store.append({ ...pair('x')[0], key: `n${count}` });
  expect(store.groups()[0]).toEqual(['q:1', 'a:1']);
  expect(store.groups().flat()).toEqual(store.keys());
  expect(Math.max(...store.groups().map((group) => group.length))).toBeLessThanOrEqual(40);
});
