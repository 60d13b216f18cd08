import { expect, test } from '@jest/globals';
import { describeToDevtools } from './module-info.ts';

test('developer tools see the host, the live releases and the libraries that each uses', () => {
  const useIn = ['host'];
  const scopes = { default: { react: { '19.3.1': { useIn } } }, desk: { rxjs: { '7.8.2': {} } } };
  const moduleInfo: Record<string, { shared: object[] }> = {};
  const page = { __FEDERATION__: { moduleInfo, __INSTANCES__: [{ name: 'host', shareScopeMap: scopes }] } };
  const entry = '/chatbot/releases/mfe-chat/1.4.0/remoteEntry.js';
  const chat = { version: '1.4.0', entry, container: 'mfe_chat', exposes: { './chat': { css: ['/a.css'] } } };

  describeToDevtools(
    { id: 'c1', host: { version: '1.6.0' }, remotes: { 'mfe-chat': chat } },
    page as unknown as Window,
  );
  expect(moduleInfo).toMatchObject({
    host: {
      version: '1.6.0',
      remotesInfo: { mfe_chat: { matchedVersion: '1.4.0' } },
      shared: [
        { sharedName: 'react', version: '19.3.1' },
        { sharedName: 'rxjs', version: '7.8.2' },
      ],
    },
    'mfe_chat:1.4.0': {
      version: '1.4.0',
      remoteEntry: entry,
      remoteEntryType: 'module',
      modules: [{ moduleName: 'chat', modulePath: './chat' }],
      shared: [],
    },
  });

  useIn.push('mfe_chat');
  expect(moduleInfo['mfe_chat:1.4.0']?.shared).toMatchObject([{ sharedName: 'react' }]);
});

test('a page without the federation runtime is left as it is', () => {
  expect(() => describeToDevtools({ id: '', host: { version: '' }, remotes: {} }, window)).not.toThrow();
});
