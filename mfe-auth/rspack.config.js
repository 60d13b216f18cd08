import { defineRemote } from '../rspack.shared.js';

export default defineRemote({
  name: 'mfe-auth',
  exposes: {
    './login': './src/login.tsx',
    './test': './src/test-form.tsx',
    './account': './src/account.tsx',
  },
});
