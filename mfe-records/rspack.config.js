import { defineRemote } from '../rspack.shared.js';

export default defineRemote({
  name: 'mfe-records',
  dir: import.meta.dirname,
  exposes: {
    './history': './src/history/history.tsx',
    './report': './src/report/report.tsx',
    './knowledge': './src/knowledge/knowledge.tsx',
    './inbox': './src/inbox/inbox.tsx',
  },
});
