import { testRemoteContract } from 'host/stand-ins/contract';
import readme from '../README.md?raw';
import config from '../rspack.config.js?raw';
import AccountScreen from './account.tsx';
import LoginScreen from './login.tsx';
import TestFormScreen from './test-form.tsx';

testRemoteContract({
  name: 'mfe-auth',
  config,
  readme,
  screens: { './login': LoginScreen, './test': TestFormScreen, './account': AccountScreen },
  needs: ['http', 'i18n', 'session', 'toasts', 'updates'],
  answers: { 'GET /admin/sessions': () => ({ sessions: [], nextCursor: null }) },
});
