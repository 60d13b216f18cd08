import { expect, test } from '@jest/globals';
import { readPageTrace } from './read-page-trace.ts';

const parent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const composition = {
  id: 'a',
  host: { version: '1.0.0', entry: '/desk/chatbot/releases/host/files/main.js' },
  remotes: { 'mfe-chat': { version: '2.0.0', entry: 'https://team.example/chat/remoteEntry.js' } },
};

/** A page whose response has this `Server-Timing`. */
function page(serverTiming: { name: string; description: string }[] | undefined): Window {
  const entries: Record<string, unknown[]> = {
    navigation: [{ responseEnd: 80, serverTiming }],
    resource: [
      { name: 'https://desk.example/desk/chatbot/releases/host/files/main.js', startTime: 90, duration: 10 },
      { name: 'https://team.example/chat/remoteEntry.js', startTime: 95, duration: 20 },
      { name: 'https://team.example/chat/chunks/screen.js', startTime: 120, duration: 5 },
      { name: 'https://team.example/chat/screen.css', startTime: 120, duration: 5 },
      { name: 'https://desk.example/desk/api/conversations?q=secret', startTime: 130, duration: 5 },
    ],
    'first-contentful-paint': [{ startTime: 140 }],
  };
  const read = (kind: string) => entries[kind] ?? [];
  return {
    document: { baseURI: 'https://desk.example/desk/chatbot/index?c=secret' },
    performance: { now: () => 500, getEntriesByType: read, getEntriesByName: read },
  } as never;
}

test('the document, the first paint and the scripts of releases are spans in the trace of the response', () => {
  const host = { remote: 'host', version: '1.0.0' };
  const chat = { remote: 'mfe-chat', version: '2.0.0' };
  expect(readPageTrace(page([{ name: 'traceparent', description: parent }]), composition)).toEqual({
    parent,
    age: 500,
    spans: [
      { ...host, what: 'page', at: 0, ms: 80 },
      { ...host, what: 'render', at: 0, ms: 140 },
      { ...host, what: 'entry', at: 90, ms: 10 },
      { ...chat, what: 'entry', at: 95, ms: 20 },
      { ...chat, what: 'chunk', at: 120, ms: 5 },
    ],
  });
});

test.each([[undefined], [[]], [[{ name: 'cache', description: '' }]]])(
  'without a trace in the response nothing is read (%j)',
  (timing) => {
    expect(readPageTrace(page(timing), composition)).toBeUndefined();
  },
);
