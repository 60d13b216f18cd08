import { defineRemote } from '../rspack.shared.js';

export default defineRemote({
  name: 'mfe-auth',
  dir: import.meta.dirname,
  exposes: {
    './login': './src/login.tsx',
    './test': './src/test-form.tsx',
    './account': './src/account.tsx',
    './settings': './src/settings/settings.tsx',
    './people': './src/people/people.tsx',
    './audit': './src/audit/audit.tsx',
  },
  screens: { '/login': './src/login.tsx', '/register': './src/login.tsx' },
  texts: {
    './login': ['login'],
    './test': ['test-form'],
    './account': ['account', 'login'],
    './settings': ['settings'],
    './people': ['people'],
    './audit': ['audit'],
  },
});
