import { testRemoteContract } from 'host/stand-ins/contract';
import desk from '../desk.json' with { type: 'json' };
import config from '../rspack.config.js?raw';
import AccountScreen from './account.tsx';
import AuditScreen from './audit/audit.tsx';
import LoginScreen from './login.tsx';
import PeopleScreen from './people/people.tsx';
import SettingsScreen from './settings/settings.tsx';
import { replyWith } from './settings/testing/sample-settings.ts';
import TestFormScreen from './test-form.tsx';
import { needs } from './testing/needs.ts';

testRemoteContract({
  config,
  routes: desk.routes,
  screens: {
    './login': LoginScreen,
    './test': TestFormScreen,
    './account': AccountScreen,
    './settings': SettingsScreen,
    './people': PeopleScreen,
    './audit': AuditScreen,
  },
  needs,
  answers: {
    'GET /admin/second-factor': () => ({ hasPassword: true, isOn: false, recoveryCodes: 0, passkeys: [] }),
    'GET /admin/sessions': () => ({ sessions: [], nextCursor: null }),
    'POST /api/audit/search': () => ({ entries: [], nextCursor: null, stream: null }),
    'GET /api/people/groups': () => ({ groups: [] }),
    'POST /api/people/search': () => ({ people: [], nextCursor: null }),
    'GET /api/settings': () => replyWith(0),
    'GET /api/settings/history': () => ({ revisions: [], nextCursor: null }),
  },
});
