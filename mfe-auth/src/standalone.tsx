import { createStandInServices } from 'host/stand-ins';
import { openStandInPage } from 'host/stand-ins/page';
import * as accountScreen from './account.tsx';
import * as auditScreen from './audit/audit.tsx';
import * as loginScreen from './login.tsx';
import * as peopleScreen from './people/people.tsx';
import * as settingsScreen from './settings/settings.tsx';
import * as testFormScreen from './test-form.tsx';
import { accountServer } from './testing/account-server.ts';

/** Runs this remote alone. Sign in as anna with secret-1. */
openStandInPage({
  name: 'mfe-auth',
  screens: {
    '/login': loginScreen,
    '/register': loginScreen,
    '/test': testFormScreen,
    '/account': accountScreen,
    '/settings': settingsScreen,
    '/people': peopleScreen,
    '/audit': auditScreen,
  },
  plain: ['/login', '/register'],
  standIns: createStandInServices({ username: 'anna', answers: accountServer }),
});
