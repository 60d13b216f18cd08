import { defineRemote } from '../rspack.shared.js';

export default defineRemote({
  name: 'mfe-records',
  dir: import.meta.dirname,
  exposes: {
    './history': './src/history/history.tsx',
    './report': './src/report/report.tsx',
    './contacts': './src/contacts/contacts.tsx',
    './knowledge': './src/knowledge/knowledge.tsx',
    './inbox': './src/inbox/inbox.tsx',
  },
  screens: {
    '/history': './src/history/history.tsx',
    '/history?r': './src/history/history.tsx',
    '/report': './src/report/report.tsx',
    '/contacts': './src/contacts/contacts.tsx',
  },
  texts: {
    './history': ['records', 'notices', 'history', 'filters'],
    './report': ['records', 'report', 'filters'],
    './contacts': ['records', 'contacts', 'notices', 'history'],
    './knowledge': ['records', 'notices', 'knowledge'],
    './inbox': ['records', 'inbox'],
  },
});
