import { testRemoteContract } from 'host/stand-ins/contract';
import config from '../rspack.config.js?raw';
import AccountScreen from './account.tsx';
import LoginScreen from './login.tsx';
import TestFormScreen from './test-form.tsx';
import { needs } from './testing/needs.ts';

testRemoteContract({
  name: 'mfe-auth',
  config,
  screens: { './login': LoginScreen, './test': TestFormScreen, './account': AccountScreen },
  needs,
  answers: { 'GET /admin/sessions': () => ({ sessions: [], nextCursor: null }) },
});
